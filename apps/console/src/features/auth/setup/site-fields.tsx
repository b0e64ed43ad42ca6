import { useTranslation } from 'react-i18next'
import { Form, Input, Radio } from '../../../ui/kit/index.ts'
import type { SetupValues } from './setup-values.ts'
import styles from './setup.module.css'

/** The languages that default texts and errors of the server exist in, in their own names. */
const SITE_LANGUAGES = [
  { value: 'zh', label: '中文' },
  { value: 'en', label: 'English' },
]

/** Where the site is, and the language of its default texts. */
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
        <Input inputMode="url" autoComplete="off" spellCheck={false} />
      </Form.Item>
      <Form.Item<SetupValues> name="language" label={t('language')} extra={t('languageHint')}>
        <Radio.Group optionType="button" aria-label={t('language')} options={SITE_LANGUAGES} />
      </Form.Item>
    </>
  )
}
