import { DownloadOutlined } from '@ant-design/icons'
import { SHORTEST_PASSPHRASE } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveText } from '../../../lib/save-file.ts'
import { toast } from '../../../lib/toast.ts'
import { Button, Checkbox } from '../../../ui/kit/index.ts'
import styles from './config-file.module.css'
import { PassphraseInput } from './passphrase-input.tsx'
import { useExportConfig } from './queries.ts'

/** Downloads the site as a file; with its secrets only under a passphrase. */
export function ExportPart() {
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
