import { useMay, usePortal, useQueries, useSearchParams } from '@wattle/sdk';
import { Button, EmptyState, ErrorState, Notice, Page, Skeleton } from '@wattle/ui';
import { Select } from '@wattle/ui/forms';
import { Pagination } from '@wattle/ui/table';
import { useEffect, useRef, useState } from 'react';
import { FormattedMessage, useIntl } from 'react-intl';
import styled from 'styled-components';
import { api, type Notification, pathsAfterReading } from './api';
import { Item } from './item';
import { ofProject, onPage, pageAt, pageSize, projectsOf } from './list.rules';
import { OpenPreferences } from './open-preferences';

/** 2.5-notifications-list, 2.5-notifications-filter. Project, page and open message are in the URL, so that it can be shared. */
export default function NotificationsPage() {
  const intl = useIntl();
  const { locale } = usePortal();
  const list = api.useGet('/sustainable/notifications', { query: { locale } });
  const [params, setParams] = useSearchParams();
  const [project, id] = [params.get('project') ?? '', params.get('id') ?? ''];
  const all = list.data ?? [];
  const chosen = ofProject(all, project);
  const page = pageAt(chosen, Number(params.get('page')), id);
  const projects = projectsOf(all);
  const [linked] = useState(id);
  useRead(all.find((n) => n.id === id));
  const go = (to: Record<string, string>) =>
    setParams(new URLSearchParams(Object.entries(to).filter(([, value]) => value)), { replace: true, preventScrollReset: true });
  return (
    <Page
      title={<FormattedMessage id="notifications.title" defaultMessage="Messages" />}
      sentence={<FormattedMessage id="notifications.intro" defaultMessage="What we wrote to you, the newest first." />}
      actions={<OpenPreferences />}
    >
      {list.isPending ? (
        <Skeleton shape="row" count={pageSize} />
      ) : list.isError ? (
        <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : all.length === 0 ? (
        <EmptyState title={<FormattedMessage id="notifications.none" defaultMessage="You have no messages yet" />}>
          <FormattedMessage
            id="notifications.none_text"
            defaultMessage="News about your projects and your shares will be here."
          />
        </EmptyState>
      ) : (
        <>
          {linked && !all.some((n) => n.id === linked) && (
            <Notice title={<FormattedMessage id="notifications.gone" defaultMessage="This message is no longer there" />}>
              <FormattedMessage
                id="notifications.gone_text"
                defaultMessage="Perhaps it was withdrawn. These are your other messages."
              />
            </Notice>
          )}
          {projects.length > 0 && (
            <Filter>
              <Select
                label={<FormattedMessage id="notifications.project" defaultMessage="Project" />}
                value={project}
                onChange={(value) => go({ project: value })}
                options={[
                  { value: '', text: intl.formatMessage({ id: 'notifications.all', defaultMessage: 'All' }) },
                  ...projects,
                ]}
              />
            </Filter>
          )}
          {chosen.length === 0 ? (
            <EmptyState
              title={<FormattedMessage id="notifications.none_here" defaultMessage="No messages about this project" />}
              action={
                <Button small onClick={() => go({})}>
                  <FormattedMessage id="notifications.show_all" defaultMessage="Show all messages" />
                </Button>
              }
            />
          ) : (
            <>
              <List>
                {onPage(chosen, page).map((n) => (
                  <Item
                    key={n.id}
                    notification={n}
                    open={n.id === id}
                    linked={n.id === linked}
                    onToggle={() => go({ project, page: String(page), id: n.id === id ? '' : n.id })}
                  />
                ))}
              </List>
              <Pagination
                page={page}
                pageSize={pageSize}
                total={chosen.length}
                onPage={(to) => go({ project, page: String(to) })}
              />
            </>
          )}
        </>
      )}
    </Page>
  );
}

/** Marks an opened message as read, except during impersonation (which the server also rejects). */
function useRead(opened: Notification | undefined): void {
  const queries = useQueries();
  const may = useMay('notifications.readNotification').ok;
  const mark = api.useWrite('post', '/sustainable/notifications/{id}/read', { changes: pathsAfterReading });
  const sent = useRef(new Set<string>());
  const id = may && opened && !opened.read ? opened.id : undefined;
  useEffect(() => {
    if (!id || sent.current.has(id)) return;
    sent.current.add(id);
    mark.mutate(
      { path: { id }, body: undefined },
      {
        // updates the cache: one changed mark does not justify fetching all messages
        onSuccess: () =>
          queries.setQueriesData<Notification[]>({ queryKey: ['/sustainable/notifications'] }, (all) =>
            all?.map((n) => (n.id === id ? { ...n, read: true } : n)),
          ),
        onError: () => sent.current.delete(id), // it stays unread, and opening it again retries
      },
    );
  });
}

const Filter = styled.div`max-width: 360px;`;
const List = styled.ul`
  list-style: none; padding: 0; border: 1px solid var(--w-line); border-radius: var(--w-radius); background: var(--w-surface); overflow: clip;
`;
