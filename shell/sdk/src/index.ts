export { useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
export { type Api, createApi, useQueries } from './api';
export type { Notification, Operation, Portal, SlotProps } from './context';
export { type Download, type DownloadOptions, useDownload } from './download';
export { signOut, useDraft, useMay, useNotify, useOverlay, usePortal, useProblemText, useSettings, useUnsaved } from './hooks';
export { Link, Slot } from './link';
export type { Problem } from './problem';
export * from './remote';
export { clockAt, useNow, useToday } from './today';
