/** In milliseconds. Alerts are the result of an action (8-alert-duration), notices are information (8-notice-duration). */
export const toastDuration = { alert: 5000, notice: 6000 } as const;
/** Maximum number of visible toasts (4-snack-limit). */
export const maxToasts = 3;

export interface ToastText {
  kind: keyof typeof toastDuration;
  tone: 'good' | 'bad' | 'info';
  text: string;
  /** Shown at the top center instead of at the bottom. */
  at?: 'top' | undefined;
}
export interface ToastShown extends ToastText {
  id: number;
}
interface Timed extends ToastShown {
  left: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * Shows at most three toasts; the others wait, and their time starts when they are shown. The time is paused for as long as there
 * is a reason: the pointer, focus or a hidden tab.
 */
export class ToastQueue {
  private all: readonly Timed[] = [];
  private shown: readonly ToastShown[] = [];
  private next = 1;
  private readonly holds = new Set<string>();
  private readonly listeners = new Set<() => void>();

  show = (toast: ToastText): number => {
    const same = this.all.find((one) => one.text === toast.text && one.tone === toast.tone && one.at === toast.at);
    if (same) this.close(same.id); // a repeated text restarts its time instead of being shown twice
    const id = this.next++;
    this.change([...this.all, { ...toast, id, left: toastDuration[toast.kind], since: 0, timer: undefined }]);
    return id;
  };
  close = (id: number): void => {
    this.stop(this.all.find((one) => one.id === id));
    this.change(this.all.filter((one) => one.id !== id));
  };
  clear = (): void => {
    this.all.forEach(this.stop);
    this.change([]);
  };
  hold = (why: string): void => {
    this.holds.add(why);
    this.all.forEach(this.stop);
  };
  release = (why: string): void => {
    if (this.holds.delete(why)) this.run();
  };
  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };
  /** Returns the visible toasts; the same array until something changes. */
  visible = (): readonly ToastShown[] => this.shown;

  private change(all: readonly Timed[]) {
    this.all = all;
    this.shown = all.slice(0, maxToasts);
    this.run();
    for (const listener of this.listeners) listener();
  }
  private run() {
    if (this.holds.size > 0) return;
    for (const toast of this.all.slice(0, maxToasts)) {
      if (toast.timer !== undefined) continue;
      toast.since = Date.now();
      toast.timer = setTimeout(() => this.close(toast.id), toast.left);
    }
  }
  private stop = (toast: Timed | undefined) => {
    if (toast?.timer === undefined) return;
    clearTimeout(toast.timer);
    toast.timer = undefined;
    toast.left -= Date.now() - toast.since;
  };
}
