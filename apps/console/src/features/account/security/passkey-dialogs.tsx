import { PASSKEY_NAME_MAX_LENGTH, type Passkey } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { passkeyErrorText } from '../../../components/reauth/passkeys.ts'
import { toast } from '../../../lib/toast.ts'
import { Form, Input } from '../../../ui/kit/index.ts'
import { useLast } from '../../../lib/use-last.ts'
import { FormDialog } from './form-dialog.tsx'
import { useAddPasskey, useRenamePasskey } from './api.ts'
import { readUserAgent, suggestName } from './user-agent.ts'
import styles from './security.module.css'

interface Values {
  name: string
}

interface AddProps {
  open: boolean
  onClose(): void
  taken: readonly string[]
}

/** Asks for the name first, because the challenge of the server expires soon. */
export function AddPasskeyDialog({ open, onClose, taken }: AddProps) {
  const { t } = useTranslation('security')
  const add = useAddPasskey()
  const save = async ({ name }: Values) => {
    await add.mutateAsync(name.trim())
    onClose()
    toast.success(t('passkeys.added', { name: name.trim() }))
  }
  return (
    <FormDialog<Values>
      title={t('passkeys.add')}
      open={open}
      onClose={onClose}
      initialValues={{ name: suggestName(readUserAgent(navigator.userAgent), taken, t('passkeys.fallbackName')) }}
      onSubmit={save}
      submitText={t('passkeys.continue')}
      errorTextOf={passkeyErrorText}
    >
      <p className={styles.lead}>{t('passkeys.addText')}</p>
      <NameField />
    </FormDialog>
  )
}

interface RenameProps {
  /** Null while the dialog is closed. */
  passkey: Passkey | null
  onClose(): void
}

export function RenamePasskeyDialog({ passkey, onClose }: RenameProps) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation()
  const rename = useRenamePasskey()
  const shown = useLast(passkey)
  const save = async ({ name }: Values) => {
    await rename.mutateAsync({ id: shown!.id, name: name.trim() })
    onClose()
    toast.success(t('passkeys.renamed'))
  }
  return (
    <FormDialog<Values>
      title={t('passkeys.renameTitle')}
      open={passkey !== null}
      onClose={onClose}
      initialValues={{ name: shown?.name ?? '' }}
      onSubmit={save}
      submitText={common('save')}
    >
      <NameField />
    </FormDialog>
  )
}

function NameField() {
  const { t } = useTranslation('security')
  return (
    <Form.Item<Values>
      name="name"
      label={t('passkeys.name')}
      rules={[{ required: true, whitespace: true, message: t('passkeys.nameMissing') }]}
    >
      <Input autoComplete="off" maxLength={PASSKEY_NAME_MAX_LENGTH} />
    </Form.Item>
  )
}
