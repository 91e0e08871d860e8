/** All other icons. Together with icons-first.ts at most 60 (a test counts them). Lucide, 1.75 px stroke. */
import ArrowRight from 'lucide-react/icons/arrow-right';
import Bell from 'lucide-react/icons/bell';
import Building2 from 'lucide-react/icons/building-2';
import Calendar from 'lucide-react/icons/calendar';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import ChartColumn from 'lucide-react/icons/chart-column';
import Clock from 'lucide-react/icons/clock';
import CreditCard from 'lucide-react/icons/credit-card';
import Download from 'lucide-react/icons/download';
import Ellipsis from 'lucide-react/icons/ellipsis';
import FileText from 'lucide-react/icons/file-text';
import Flame from 'lucide-react/icons/flame';
import Gauge from 'lucide-react/icons/gauge';
import Gift from 'lucide-react/icons/gift';
import Handshake from 'lucide-react/icons/handshake';
import History from 'lucide-react/icons/history';
import House from 'lucide-react/icons/house';
import KeyRound from 'lucide-react/icons/key-round';
import Languages from 'lucide-react/icons/languages';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Leaf from 'lucide-react/icons/leaf';
import ListFilter from 'lucide-react/icons/list-filter';
import LogOut from 'lucide-react/icons/log-out';
import Mail from 'lucide-react/icons/mail';
import MapPin from 'lucide-react/icons/map-pin';
import Menu from 'lucide-react/icons/menu';
import MessageCircle from 'lucide-react/icons/message-circle';
import Pencil from 'lucide-react/icons/pencil';
import Phone from 'lucide-react/icons/phone';
import PiggyBank from 'lucide-react/icons/piggy-bank';
import Receipt from 'lucide-react/icons/receipt-euro';
import Search from 'lucide-react/icons/search';
import Settings from 'lucide-react/icons/settings';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShoppingBasket from 'lucide-react/icons/shopping-basket';
import Sun from 'lucide-react/icons/sun';
import Table2 from 'lucide-react/icons/table-2';
import Tag from 'lucide-react/icons/tag';
import Trash2 from 'lucide-react/icons/trash-2';
import Truck from 'lucide-react/icons/truck';
import Undo2 from 'lucide-react/icons/undo-2';
import Upload from 'lucide-react/icons/upload';
import User from 'lucide-react/icons/user';
import Wind from 'lucide-react/icons/wind';
import { named } from './icons-first';

export const icons = named({
  agreement: FileText,
  basket: ShoppingBasket,
  bell: Bell,
  calendar: Calendar,
  'calendar-add': CalendarPlus,
  card: CreditCard,
  chart: ChartColumn,
  clock: Clock,
  company: Building2,
  dashboard: LayoutDashboard,
  download: Download,
  edit: Pencil,
  filter: ListFilter,
  forward: ArrowRight,
  gas: Flame,
  gift: Gift,
  history: History,
  home: House,
  invoice: Receipt,
  key: KeyRound,
  language: Languages,
  leaf: Leaf,
  mail: Mail,
  menu: Menu,
  message: MessageCircle,
  meter: Gauge,
  more: Ellipsis,
  move: Truck,
  offer: Tag,
  phone: Phone,
  pin: MapPin,
  privacy: ShieldCheck,
  remove: Trash2,
  savings: PiggyBank,
  search: Search,
  settings: Settings,
  share: Handshake,
  'sign-out': LogOut,
  sun: Sun,
  table: Table2,
  undo: Undo2,
  upload: Upload,
  user: User,
  wind: Wind,
});
