import { useTranslation } from 'react-i18next'
import { DataTable, type DataTableProps } from '../../ui/table/data-table.tsx'
import { LoadError } from './load-error.tsx'

interface Props<Row> extends Omit<DataTableProps<Row>, 'failure'> {
  error: unknown
  onRetry(): unknown
}

/** A table of rows from the server. */
export function ResourceTable<Row extends object>({ error, onRetry, ...table }: Props<Row>) {
  const { t } = useTranslation()
  const failure = error ? (
    <LoadError title={t('errors.loadFailed')} error={error} retrying={table.refreshing} onRetry={onRetry} />
  ) : null
  return <DataTable {...table} failure={failure} />
}
