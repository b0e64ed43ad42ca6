import { RightOutlined } from '@ant-design/icons'
import type { ApiToken } from '@tidegate/contract/api'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CreateDrawer, EditDrawer } from '../../components/resource/edit-drawer.tsx'
import { toast } from '../../lib/toast.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { Button } from '../../ui/kit/index.ts'
import { createToken, tokenQuery, TOKENS, updateToken } from './api.ts'
import { AddressField, ModelFields, RateFields, StorageField, ThroughputFields } from './limit-fields.tsx'
import { CountField, ExpiryField, GroupField, NameField, QuotaFields } from './token-fields.tsx'
import { blankValues, editOf, ERROR_FIELDS, newToken, valuesOf } from './token-values.ts'
import styles from './tokens.module.css'

interface Props {
  open: boolean
  onClose(): void
}

/** `onCreated` shows a single new token; several are only listed. */
export function CreateTokenDrawer({ onCreated, ...drawer }: Props & { onCreated(token: ApiToken): void }) {
  const { t } = useTranslation('tokens')
  const [blank] = useState(blankValues)
  return (
    <CreateDrawer
      {...drawer}
      title={t('form.title')}
      submitText={t('form.submit')}
      initial={() => blank}
      errors={ERROR_FIELDS}
      reloads={TOKENS}
      save={(values) => createToken(newToken({ ...blank, ...values }))}
      onSaved={(tokens) => (tokens.length === 1 ? onCreated(tokens[0]!) : toast.success(t('form.created')))}
    >
      <NameField />
      <QuotaFields />
      <ExpiryField />
      <GroupField isNew />
      <More>
        <CountField />
        <LimitFields models={blank.models} />
      </More>
    </CreateDrawer>
  )
}

export function EditTokenDrawer({ id, ...drawer }: Props & { id: number }) {
  const { t } = useTranslation('tokens')
  return (
    <EditDrawer
      {...drawer}
      id={id}
      query={tokenQuery(id)}
      title={(token) => (token ? t('form.editTitle', { name: token.name }) : t('form.editTitleLoading'))}
      loadErrors={{ token_not_found: t('form.notFound') }}
      initial={valuesOf}
      errors={ERROR_FIELDS}
      reloads={TOKENS}
      save={(values, token) => {
        const edit = editOf(token, values)
        return edit && updateToken(edit)
      }}
      saved={t('form.saved')}
    >
      {(token) => (
        <>
          <NameField />
          <QuotaFields />
          <ExpiryField stored={valuesOf(token).expires} />
          <GroupField stored={token.group} />
          <FormSection title={t('form.limitSection')}>
            <LimitFields models={valuesOf(token).models} />
          </FormSection>
        </>
      )}
    </EditDrawer>
  )
}

/** Fields that few tokens need. They are not part of the form until they are shown, so none can be invalid unseen. */
function More({ children }: { children: ReactNode }) {
  const { t } = useTranslation('tokens')
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <FormSection title={t('form.more')}>{children}</FormSection>
  return (
    <Button type="link" className={styles.more} icon={<RightOutlined aria-hidden />} onClick={() => setOpen(true)}>
      {t('form.more')}
    </Button>
  )
}

function LimitFields({ models }: { models: readonly string[] }) {
  return (
    <>
      <ModelFields stored={models} />
      <AddressField />
      <RateFields />
      <ThroughputFields />
      <StorageField />
    </>
  )
}
