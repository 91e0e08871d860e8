/** Tables and pagination. */
export { type Column, DataTable, type DataTableProps } from './data-table';
export { Pagination, type PaginationProps } from './pagination';
