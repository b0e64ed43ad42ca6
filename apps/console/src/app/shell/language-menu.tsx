import { TranslationOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_CODES, LANGUAGES } from '../../lib/languages.ts'
import { Button } from '../../ui/kit/index.ts'
import { LateMenu } from './late-menu.tsx'

/** Each language in its own name: whoever looks for it can read that one. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation('shell')
  return (
    <LateMenu
      menu={{
        items: LANGUAGE_CODES.map((language) => ({
          key: language,
          label: <span lang={LANGUAGES[language].tag}>{LANGUAGES[language].name}</span>,
        })),
        selectable: true,
        selectedKeys: [i18n.resolvedLanguage ?? 'en'],
        onClick: ({ key }) => void i18n.changeLanguage(key),
      }}
    >
      {(button) => (
        <Button type="text" icon={<TranslationOutlined aria-hidden />} aria-label={t('language')} {...button} />
      )}
    </LateMenu>
  )
}
