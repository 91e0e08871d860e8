/** 2.5-notifications-list */
export const pageSize = 5;

export interface Listed {
  id: string;
  projects: readonly string[];
  project_codes: readonly string[];
}

/** Returns the projects of notifications by name, for the filter. */
export function projectsOf(all: readonly Listed[]): { value: string; text: string }[] {
  const names = new Map<string, string>();
  for (const n of all) for (const [i, code] of n.project_codes.entries()) names.set(code, n.projects[i] ?? code);
  return [...names].map(([value, text]) => ({ value, text })).sort((a, b) => a.text.localeCompare(b.text, 'nl'));
}

/** Returns the notifications about a project, or all if no project is given. */
export const ofProject = <N extends Listed>(all: readonly N[], project: string): readonly N[] =>
  project ? all.filter((n) => n.project_codes.includes(project)) : all;

/** Returns the page to show: the requested page, or the page with the notification in a link; at most the last page. */
export function pageAt(all: readonly Listed[], asked: number, id: string): number {
  const last = Math.max(1, Math.ceil(all.length / pageSize));
  const at = all.findIndex((n) => n.id === id);
  const page = Number.isInteger(asked) && asked > 0 ? asked : Math.floor(Math.max(0, at) / pageSize) + 1;
  return Math.min(page, last);
}

export const onPage = <N>(all: readonly N[], page: number): readonly N[] => all.slice((page - 1) * pageSize, page * pageSize);
