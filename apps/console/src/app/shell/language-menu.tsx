import { TranslationOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useTranslation } from 'react-i18next'
import { LANGUAGES, type Language } from '../../lib/i18n.ts'

/** Each language in its own name: whoever looks for it can read that one. */
const NAMES: Record<Language, string> = { zh: '中文', en: 'English' }

export function LanguageMenu() {
  const { t, i18n } = useTranslation('shell')
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: LANGUAGES.map((language) => ({ key: language, label: <span lang={language}>{NAMES[language]}</span> })),
        selectable: true,
        selectedKeys: [i18n.resolvedLanguage ?? 'en'],
        onClick: ({ key }) => void i18n.changeLanguage(key),
      }}
    >
      <Button type="text" icon={<TranslationOutlined aria-hidden />} aria-label={t('language')} aria-haspopup="menu" />
    </Dropdown>
  )
}
