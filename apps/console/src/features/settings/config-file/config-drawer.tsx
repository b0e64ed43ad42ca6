import { DownloadOutlined } from '@ant-design/icons'
import { SHORTEST_PASSPHRASE } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveText } from '../../../lib/save-file.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, Checkbox } from '../../../ui/kit/index.ts'
import { SideDrawer } from '../../../ui/overlay/side-drawer.tsx'
import { useExportConfig } from '../api.ts'
import { ApplyPart } from './apply-part.tsx'
import { PassphraseInput } from './config-fields.tsx'
import styles from './config-file.module.css'

interface Props {
  open: boolean
  onClose(): void
}

/** Exports the configuration as a file, and applies a file. */
export function ConfigDrawer({ open, onClose }: Props) {
  const { t } = useTranslation('settings')
  return (
    <SideDrawer title={t('configFile.title')} open={open} onClose={onClose}>
      <p className={styles.purpose}>{t('configFile.purpose')}</p>
      <ExportPart />
      <ApplyPart />
    </SideDrawer>
  )
}

/** Downloads the configuration. Secrets are included only if they are encrypted with a passphrase. */
function ExportPart() {
  const { t } = useTranslation('settings')
  const id = useId()
  const [hasSecrets, setHasSecrets] = useState(false)
  const [passphrase, setPassphrase] = useState('')
  const download = useExportConfig()
  const isReady = !hasSecrets || passphrase.length >= SHORTEST_PASSPHRASE
  const save = () =>
    download.mutate(hasSecrets ? passphrase : '', {
      onSuccess({ yaml }) {
        saveText('tidegate.yaml', yaml)
        toast.success(t('configFile.export.done'))
      },
    })
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id}>{t('configFile.export.title')}</h3>
      <p className={styles.hint}>{t('configFile.export.hint')}</p>
      <Checkbox checked={hasSecrets} onChange={(event) => setHasSecrets(event.target.checked)}>
        {t('configFile.export.secrets')}
      </Checkbox>
      {hasSecrets && (
        <>
          <p className={styles.hint}>{t('configFile.export.secretsHint')}</p>
          <PassphraseInput
            label={t('configFile.export.passphrase')}
            hint={t('configFile.export.passphraseHint', { least: SHORTEST_PASSPHRASE })}
            value={passphrase}
            onChange={setPassphrase}
          />
        </>
      )}
      <Button icon={<DownloadOutlined aria-hidden />} loading={download.isPending} disabled={!isReady} onClick={save}>
        {t('configFile.export.action')}
      </Button>
    </section>
  )
}
