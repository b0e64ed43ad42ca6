import { useTranslation } from 'react-i18next'
import { appCodeErrorText } from '../../../components/reauth/api.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Alert, Button, Checkbox, Form, Input, Modal, QRCode } from '../../../ui/kit/index.ts'
import { useLast } from '../../../lib/use-last.ts'
import { FormDialog } from './form-dialog.tsx'
import { useEnableTotp } from './api.ts'
import styles from './security.module.css'
import { DownloadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useSession } from '../../../api/session.ts'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { toast } from '../../../lib/toast.ts'
import { saveText } from '../../../lib/save-file.ts'

interface Setup {
  secret: string
  uri: string
}

interface SetupDialogProps {
  /** Null while the dialog is closed. */
  setup: Setup | null
  onClose(): void
  onCodes(codes: string[]): void
}

interface Values {
  code: string
}

/** Shows the secret for the authenticator app. The user confirms it with a code of the app. */
export function TotpDialog({ setup, onClose, onCodes }: SetupDialogProps) {
  const { t } = useTranslation('security')
  const enable = useEnableTotp()
  const shown = useLast(setup)
  const save = async ({ code }: Values) => {
    const { recovery_codes } = await enable.mutateAsync(code.replaceAll(/\s/g, ''))
    onCodes(recovery_codes)
  }
  return (
    <FormDialog<Values>
      title={t('twoFactor.setup')}
      open={setup !== null}
      onClose={onClose}
      onSubmit={save}
      submitText={t('twoFactor.turnOn')}
      errors={{ second_factor_wrong: 'code', login_delayed: 'code' }}
      errorTextOf={appCodeErrorText}
    >
      {shown && <Secret {...shown} />}
      <Form.Item<Values>
        name="code"
        label={t('twoFactor.code')}
        rules={[{ required: true, whitespace: true, message: t('twoFactor.codeMissing') }]}
      >
        <Input className="mono" inputMode="numeric" autoComplete="one-time-code" maxLength={11} placeholder="000000" />
      </Form.Item>
    </FormDialog>
  )
}

function Secret({ secret, uri }: Setup) {
  const { t } = useTranslation('security')
  return (
    <>
      <p className={styles.step}>{t('twoFactor.scan')}</p>
      <div className={styles.qrCode}>
        <QRCode
          type="svg"
          aria-label={t('twoFactor.picture')}
          value={uri}
          size={176}
          bordered={false}
          color="#131722"
          bgColor="#ffffff"
          marginSize={2}
        />
      </div>
      <p className={styles.step}>{t('twoFactor.byHand')}</p>
      <p className={styles.secret}>
        <code className="mono">{groupInFours(secret)}</code>
        <CopyButton text={secret} label={t('twoFactor.copySecret')} />
      </p>
    </>
  )
}

/** Groups of four characters are easier to type. */
const groupInFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

interface RecoveryCodesDialogProps {
  /** Null while the dialog is closed. */
  codes: string[] | null
  onDone(): void
}

/** Recovery codes cannot be shown again, so the dialog closes only after the user confirms to have saved them. */
export function RecoveryCodesDialog({ codes, onDone }: RecoveryCodesDialogProps) {
  const { t } = useTranslation('security')
  const shown = useLast(codes)
  const [saved, setSaved] = useState(false)
  const finish = () => {
    onDone()
    toast.success(t('twoFactor.onDone'))
  }
  return (
    <Modal
      title={t('twoFactor.codes')}
      open={codes !== null}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      width={440}
      destroyOnHidden
      afterClose={() => setSaved(false)}
      footer={
        <Button type="primary" disabled={!saved} onClick={finish}>
          {t('twoFactor.done')}
        </Button>
      }
    >
      <Alert className={styles.notice} type="warning" showIcon title={t('twoFactor.once')} />
      <ul className={styles.codes}>
        {shown?.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <div className={styles.saveCodes}>
        <CopyButton text={(shown ?? []).join('\n')} label={t('twoFactor.copyCodes')} words={t('twoFactor.copyCodes')} />
        <DownloadButton codes={shown ?? []} />
      </div>
      <Checkbox checked={saved} onChange={({ target }) => setSaved(target.checked)}>
        {t('twoFactor.saved')}
      </Checkbox>
    </Modal>
  )
}

function DownloadButton({ codes }: { codes: string[] }) {
  const { t } = useTranslation('security')
  const { system_name } = useStatus()
  const username = useSession(({ user }) => user?.username ?? '')
  const download = () => {
    const heading = t('twoFactor.fileHeading', { site: system_name || DEFAULT_NAME, username })
    saveText('recovery-codes.txt', `${heading}\n\n${codes.join('\n')}\n`)
  }
  return (
    <Button size="small" icon={<DownloadOutlined aria-hidden />} onClick={download}>
      {t('twoFactor.download')}
    </Button>
  )
}
