import type { Path } from '@wattle/sdk';
import { useLocation, useNavigate, useUnsavedIn } from '@wattle/sdk/host';
import { Sheet, Skeleton } from '@wattle/ui';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useIntl } from 'react-intl';
import type { OpenOverlay } from './compose';
import { returnFocus } from './open-above';
import { Part } from './part';

/**
 * An overlay above its page. If it was opened inside the portal, `close` goes back one step. If it was opened by deep link, `close`
 * replaces the location with the page rendered below (2.3-close-target).
 */
export function OverlayView({ open, parent }: { open: OpenOverlay; parent: Path }): ReactNode {
  const navigate = useNavigate();
  const location = useLocation();
  const [dirty, setDirty] = useState(false);
  const agreed = useUnsavedIn('overlay', dirty);
  const inside = (location.state as { background?: unknown } | null)?.background !== undefined;
  const leave = useCallback(() => {
    agreed(); // saved, or already confirmed in the sheet: do not ask again
    if (inside) navigate(-1);
    else navigate(parent, { replace: true, preventScrollReset: true });
  }, [inside, navigate, parent, agreed]);
  useEffect(() => returnFocus, []);
  const props = useMemo(() => ({ params: open.params, close: leave, setDirty }), [open.params, leave]);
  const { overlay } = open;
  const title = useIntl().formatMessage(overlay.title);
  return (
    <Sheet title={title} onClose={leave} dirty={dirty}>
      <Part
        key={location.pathname}
        module={overlay.module}
        id={`overlay ${overlay.name}`}
        pick={(r) => r.overlays?.find((o) => o.name === overlay.name)?.view}
        props={props}
        waiting={<Skeleton shape="field" count={2} />}
      />
    </Sheet>
  );
}
