import { REDEMPTION_STATUS } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/errors.ts'
import { CreateDrawer, EditDrawer } from '../../components/resource/edit-drawer.tsx'
import { toast } from '../../lib/toast.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Alert } from '../../ui/kit/index.ts'
import { codeQuery, CODES, createCodes, updateCode } from './api.ts'
import { titleOf } from './code.ts'
import { GiftFields, KeyFields, NameField, TotalValue, ValidityFields, ValueField } from './code-fields.tsx'
import {
  BLANK,
  editOf,
  ERROR_FIELDS,
  newCodes,
  valuesOf,
  type CreatedCodes,
  type NewCodeValues,
} from './code-values.ts'
import styles from './codes.module.css'

interface Props {
  open: boolean
  onClose(): void
}

export function CreateCodesDrawer({ onCreated, ...drawer }: Props & { onCreated(codes: CreatedCodes): void }) {
  const { t } = useTranslation('coupons')
  const save = async (values: NewCodeValues): Promise<CreatedCodes> => {
    const body = newCodes({ ...BLANK, ...values })
    try {
      return { name: body.name, keys: await createCodes(body) }
    } catch (error) {
      // Without a response the codes may exist, and another attempt would create them twice.
      if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) toast.info(t('form.unsure'))
      throw error
    }
  }
  return (
    <CreateDrawer
      {...drawer}
      title={t('form.createTitle')}
      submitText={t('form.submit')}
      initial={() => BLANK}
      errors={ERROR_FIELDS}
      reloads={CODES}
      save={save}
      onSaved={onCreated}
    >
      <NameField isNew />
      <ValueField />
      <GiftFields />
      <ValidityFields />
      <KeyFields />
      <TotalValue />
    </CreateDrawer>
  )
}

export function EditCodeDrawer({ id, ...drawer }: Props & { id: number }) {
  const { t } = useTranslation('coupons')
  return (
    <EditDrawer
      {...drawer}
      id={id}
      query={codeQuery(id)}
      title={(code) => (code ? t('form.editTitle', { name: titleOf(code) }) : t('form.editTitleLoading'))}
      loadErrors={{ redemption_not_found: t('form.notFound') }}
      isLocked={({ status }) => status !== REDEMPTION_STATUS.unused}
      locked={<EmptyState title={t('form.notEditable')} hint={t('form.notEditableHint')} />}
      initial={valuesOf}
      errors={ERROR_FIELDS}
      reloads={CODES}
      save={(values, code) => updateCode(editOf(code, values))}
      saved={t('form.saved')}
    >
      {({ used_count: uses }) => (
        <>
          {uses > 0 && <Alert className={styles.notice} type="info" showIcon title={t('form.inUse')} />}
          <NameField />
          <ValueField disabled={uses > 0} />
          <GiftFields disabled={uses > 0} />
          <ValidityFields />
        </>
      )}
    </EditDrawer>
  )
}
