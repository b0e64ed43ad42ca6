import { DownloadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../../api/session.ts'
import { DEFAULT_NAME, useStatus } from '../../../../api/status.ts'
import { toast } from '../../../../lib/toast.ts'
import { CopyButton } from '../../../../ui/feedback/copy-button.tsx'
import { Alert, Button, Checkbox, Modal } from '../../../../ui/kit/index.ts'
import { useLast } from '../../../../lib/use-last.ts'
import { saveText } from '../../../../lib/save-file.ts'
import styles from './two-factor.module.css'

interface Props {
  /** Null while there are none to show. */
  codes: string[] | null
  onDone(): void
}

/** The only time that recovery codes are seen, so it goes only when the person says to have them. */
export function RecoveryCodesDialog({ codes, onDone }: Props) {
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
      <div className={styles.keep}>
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
