/** Lists with columns, and their pages. */
export { type Column, DataTable, type DataTableProps } from './data-table';
export { Pagination, type PaginationProps } from './pagination';
