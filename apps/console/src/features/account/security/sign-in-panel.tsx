import { LockOutlined, MailOutlined } from '@ant-design/icons'
import type { Security } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { selfQuery } from '../api.ts'
import { LoadingRows, Panel, Row, Rows } from './parts.tsx'
import { useDialog } from './hooks.ts'
import { EmailDialog } from './email-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { ServiceRows } from './bindings.tsx'

export function SignInPanel({ security }: { security: Security | undefined }) {
  const { t } = useTranslation('security')
  return (
    <Panel title={t('signIn.title')} hint={t('signIn.hint')}>
      {security ? (
        <Rows>
          <PasswordRow isSet={security.has_password} />
          <EmailRow />
          <ServiceRows identities={security.identities} />
        </Rows>
      ) : (
        <LoadingRows />
      )}
    </Panel>
  )
}

function PasswordRow({ isSet }: { isSet: boolean }) {
  const { t } = useTranslation('security')
  const dialog = useDialog('password')
  return (
    <>
      <Row
        icon={<LockOutlined aria-hidden />}
        title={t('password.title')}
        tag={!isSet && <StatusTag tone="neutral">{t('notSet')}</StatusTag>}
        text={isSet ? t('password.set') : t('password.unset')}
        actions={<Button onClick={dialog.open}>{isSet ? t('password.change') : t('password.create')}</Button>}
      />
      <PasswordDialog isSet={isSet} open={dialog.isOpen} onClose={dialog.close} />
    </>
  )
}

function EmailRow() {
  const { t } = useTranslation('security')
  const self = useQuery(selfQuery)
  const dialog = useDialog('email')
  const email = self.data?.email ?? ''
  return (
    <>
      <Row
        icon={<MailOutlined aria-hidden />}
        title={t('email.title')}
        tag={self.data && email === '' && <StatusTag tone="neutral">{t('notBound')}</StatusTag>}
        text={email || t('email.unset')}
        actions={<Button onClick={dialog.open}>{email === '' ? t('bind') : t('email.change')}</Button>}
      />
      <EmailDialog current={email} open={dialog.isOpen} onClose={dialog.close} />
    </>
  )
}
