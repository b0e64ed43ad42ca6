import { useTranslation } from 'react-i18next'
import { DataTable, type DataTableProps } from '../../ui/table/data-table.tsx'
import { LoadError } from './load-error.tsx'

interface Props<Row> extends DataTableProps<Row> {
  error: unknown
  onRetry(): unknown
}

/** A table of rows from the server. */
export function ResourceTable<Row extends object>({ error, onRetry, failure, ...table }: Props<Row>) {
  const { t } = useTranslation()
  const loadError = error ? (
    <LoadError title={t('errors.loadFailed')} error={error} retrying={table.refreshing} onRetry={onRetry} />
  ) : null
  return <DataTable {...table} failure={failure ?? loadError} />
}
