/** The icons that the first screen and the kit itself need immediately. The others are in icons.ts. */
import type { LucideIcon } from 'lucide-react';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import ExternalLink from 'lucide-react/icons/external-link';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import Info from 'lucide-react/icons/info';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import X from 'lucide-react/icons/x';

/** Gives the names an exportable type: no Lucide entry exports the type of its own icons. */
export const named = <K extends string>(icons: Record<K, LucideIcon>): Record<K, LucideIcon> => icons;

export const first = named({
  alert: CircleAlert,
  back: ArrowLeft,
  check: Check,
  close: X,
  down: ChevronDown,
  external: ExternalLink,
  eye: Eye,
  'eye-off': EyeOff,
  info: Info,
  left: ChevronLeft,
  minus: Minus,
  plus: Plus,
  retry: RefreshCw,
  right: ChevronRight,
  success: CircleCheck,
  warning: TriangleAlert,
});
