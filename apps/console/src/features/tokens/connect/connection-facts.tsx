import { EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Button, Select } from '../../../ui/kit/index.ts'
import styles from './connect.module.css'
import type { Connection } from './snippets/connection.ts'

interface Props {
  connection: Connection
  /** The key as the screen shows it now. */
  shownKey: string
  isShown: boolean
  onShow(shown: boolean): void
  models: readonly string[]
  loading: boolean
  onModel(model: string): void
}

/** The three things every program asks for. */
export function ConnectionFacts({ connection, shownKey, isShown, onShow, models, loading, onModel }: Props) {
  const { t } = useTranslation('connect')
  const { address, key, model } = connection
  return (
    <dl className={styles.facts}>
      <div className={styles.fact}>
        <dt>{t('address')}</dt>
        <dd>
          <code className={`mono ${styles.factText}`}>{address}</code>
          <CopyButton text={address} label={t('copyAddress')} />
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>{t('key')}</dt>
        <dd>
          <code className={`mono ${styles.factText}`}>{shownKey}</code>
          <Button
            size="small"
            type="text"
            aria-label={t(isShown ? 'hideKey' : 'showKey')}
            aria-pressed={isShown}
            icon={isShown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
            onClick={() => onShow(!isShown)}
          />
          <CopyButton text={key} label={t('copyKey')} />
        </dd>
      </div>
      <div className={styles.fact}>
        <dt>
          <label htmlFor="connect-model">{t('model')}</label>
        </dt>
        <dd>
          <Select
            id="connect-model"
            className={`mono ${styles.model}`}
            showSearch
            value={models.includes(model) ? model : null}
            placeholder={t('modelPlaceholder')}
            disabled={models.length === 0}
            loading={loading}
            options={models.map((name) => ({ value: name, label: name }))}
            onChange={(chosen) => chosen && onModel(chosen)}
          />
          <CopyButton text={model} label={t('copyModel')} />
        </dd>
      </div>
    </dl>
  )
}
