import { QuestionCircleOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, Form, Input, Modal, Radio } from '../../../ui/kit/index.ts'
import styles from './setup.module.css'

type UsageMode = 'external' | 'self' | 'demo'

/** Values of the form. The account is absent if an administrator exists. */
export interface SetupValues {
  username?: string
  password?: string
  confirmPassword?: string
  ServerAddress: string
  /** The language of default texts, and of errors for requests without a language. */
  language: 'zh' | 'en'
  setup_code?: string
  mode: UsageMode
}

/** Required if the server is opened from a public address. */
export function CodeField() {
  const { t } = useTranslation('setup')
  return (
    <Form.Item<SetupValues>
      name="setup_code"
      label={t('code')}
      extra={t('codeHint')}
      rules={[{ required: true, whitespace: true, message: t('errors.code') }]}
    >
      <Input size="large" className={styles.code} autoComplete="off" spellCheck={false} />
    </Form.Item>
  )
}

/** The languages of default texts and server errors. */
const SITE_LANGUAGES = [
  { value: 'zh', label: '中文' },
  { value: 'en', label: 'English' },
]

/** Public address and language of the site. */
export function SiteFields() {
  const { t } = useTranslation('setup')
  return (
    <>
      <h2 className={styles.heading}>{t('siteSection')}</h2>
      <Form.Item<SetupValues>
        name="ServerAddress"
        label={t('address')}
        extra={t('addressHint')}
        rules={[{ required: true, whitespace: true, pattern: /^\s*https?:\/\/\S+\s*$/i, message: t('errors.address') }]}
      >
        <Input size="large" inputMode="url" autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item<SetupValues> name="language" label={t('language')} extra={t('languageHint')}>
        <Radio.Group optionType="button" aria-label={t('language')} options={SITE_LANGUAGES} />
      </Form.Item>
    </>
  )
}

const MODES: readonly UsageMode[] = ['external', 'self', 'demo']

export function ModeField() {
  const { t } = useTranslation('setup')
  const [helpOpen, setHelpOpen] = useState(false)
  const closeHelp = () => setHelpOpen(false)
  return (
    <>
      <h2 className={styles.heading} id="mode-heading">
        {t('modeSection')}
        <Button
          type="text"
          size="small"
          icon={<QuestionCircleOutlined aria-hidden />}
          aria-label={t('modeHelp')}
          onClick={() => setHelpOpen(true)}
        />
      </h2>
      <Form.Item<SetupValues> name="mode">
        <Radio.Group className={styles.modes} aria-labelledby="mode-heading">
          {MODES.map((mode) => (
            <Radio key={mode} value={mode} className={styles.mode}>
              <span className={styles.modeName}>{t(`modes.${mode}.name`)}</span>
              <span className={styles.modeText}>{t(`modes.${mode}.text`)}</span>
            </Radio>
          ))}
        </Radio.Group>
      </Form.Item>
      <Modal
        title={t('help.title')}
        open={helpOpen}
        onCancel={closeHelp}
        footer={
          <Button type="primary" onClick={closeHelp}>
            {t('help.close')}
          </Button>
        }
      >
        <dl className={styles.help}>
          {MODES.map((mode) => (
            <div key={mode}>
              <dt>{t(`modes.${mode}.name`)}</dt>
              <dd>{t(`help.${mode}`)}</dd>
            </div>
          ))}
        </dl>
        <p className="secondary">{t('help.later')}</p>
      </Modal>
    </>
  )
}
