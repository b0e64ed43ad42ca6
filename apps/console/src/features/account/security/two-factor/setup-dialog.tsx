import { useTranslation } from 'react-i18next'
import { appCodeErrorText } from '../../../../components/reauth/app-code-error.ts'
import { CopyButton } from '../../../../ui/feedback/copy-button.tsx'
import { Form, Input, QRCode } from '../../../../ui/kit/index.ts'
import { useLast } from '../../../../lib/use-last.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useEnableTotp } from '../queries.ts'
import styles from './two-factor.module.css'

interface Setup {
  secret: string
  uri: string
}

interface Props {
  /** Null while there is nothing to set up. */
  setup: Setup | null
  onClose(): void
  onCodes(codes: string[]): void
}

interface Values {
  code: string
}

/** A secret for the app, and a code of the app that shows that it has arrived there. */
export function SetupDialog({ setup, onClose, onCodes }: Props) {
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
      refusals={{ second_factor_wrong: 'code', login_delayed: 'code' }}
      errorWords={appCodeErrorText}
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
      <div className={styles.picture}>
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
        <code className="mono">{inFours(secret)}</code>
        <CopyButton text={secret} label={t('twoFactor.copySecret')} />
      </p>
    </>
  )
}

/** As people read it out. */
const inFours = (secret: string) => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
