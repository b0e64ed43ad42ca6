import { useTranslation } from 'react-i18next'
import { CreateDrawer, EditDrawer } from '../../components/resource/edit-drawer.tsx'
import { createExport, exportQuery, EXPORTS, updateExport, type Scope } from './api.ts'
import { ExportFields } from './export-fields.tsx'
import { BLANK, changeOf, ERROR_FIELDS, newExport, valuesOf } from './export-values.ts'

interface Props {
  scope: Scope
  open: boolean
  onClose(): void
}

export function CreateExportDrawer({ scope, ...drawer }: Props) {
  const { t } = useTranslation('exports')
  return (
    <CreateDrawer
      {...drawer}
      title={t('form.createTitle')}
      submitText={t('form.submit')}
      initial={() => BLANK}
      errors={ERROR_FIELDS}
      reloads={EXPORTS}
      save={(values) => createExport(scope, newExport({ ...BLANK, ...values }))}
      saved={t('form.created')}
    >
      <ExportFields />
    </CreateDrawer>
  )
}

export function EditExportDrawer({ scope, id, ...drawer }: Props & { id: number }) {
  const { t } = useTranslation('exports')
  return (
    <EditDrawer
      {...drawer}
      id={id}
      query={exportQuery(scope, id)}
      title={(row) => (row ? t('form.editTitle', { name: row.name }) : t('form.editTitleLoading'))}
      isLocked={(row) => row === null}
      locked={t('form.notFound')}
      initial={(row) => (row ? valuesOf(row) : BLANK)}
      errors={ERROR_FIELDS}
      reloads={EXPORTS}
      save={(values, row) => (row ? updateExport(scope, id, changeOf(values)) : null)}
      saved={t('form.saved')}
    >
      {(row) => row && <ExportFields stored={row.secrets} />}
    </EditDrawer>
  )
}
