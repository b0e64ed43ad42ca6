import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, type PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import { useThemeMode } from '../lib/theme/theme-mode.ts'
import { setToastHost } from '../lib/toast.ts'
import { useWantsLessMotion } from '../lib/use-media.ts'
import { App, Button, ConfigProvider } from '../ui/kit/index.ts'
import { ENGLISH, loadKitLocale, type KitLocale } from '../ui/kit/locale.ts'
import { antdTheme } from '../ui/kit/theme.ts'

interface Props {
  client: QueryClient
  /** The first locale of Ant Design. It follows the language afterwards. */
  locale?: KitLocale
}

/** Provides the theme, the language and the query client. */
export function Providers({ client, locale: first = ENGLISH, children }: PropsWithChildren<Props>) {
  const mode = useThemeMode((state) => state.mode)
  const motion = !useWantsLessMotion()
  const theme = useMemo(() => antdTheme(mode, { motion }), [mode, motion])
  const locale = useKitLocale(first)
  return (
    <QueryClientProvider client={client}>
      <ConfigProvider theme={theme} locale={locale} button={{ autoInsertSpace: false }}>
        <App message={{ maxCount: 4 }}>
          <ToastHost />
          {children}
        </App>
      </ConfigProvider>
    </QueryClientProvider>
  )
}

const UNDO_SECONDS = 8

function ToastHost() {
  const { t } = useTranslation()
  const { message } = App.useApp()
  useEffect(
    () =>
      setToastHost({
        success: (text) => void message.success(text),
        error: (text) => void message.error(text, 5),
        info: (text) => void message.info(text),
        undo: (text, onUndo) => {
          const key = `undo-${text}`
          const undo = () => {
            message.destroy(key)
            void onUndo()
          }
          const content = (
            <>
              {text}
              <Button type="link" size="small" onClick={undo}>
                {t('undo')}
              </Button>
            </>
          )
          message.open({ key, type: 'success', content, duration: UNDO_SECONDS })
        },
      }),
    [message, t],
  )
  return null
}

/** Always returns a locale: without one, Ant Design would mount all children again and lose their state. */
function useKitLocale(first: KitLocale): KitLocale {
  const { i18n } = useTranslation()
  const language = i18n.resolvedLanguage ?? 'en'
  const [locale, setLocale] = useState(first)
  useEffect(() => {
    let isCurrent = true
    void loadKitLocale(language).then((loaded) => isCurrent && setLocale(loaded))
    return () => {
      isCurrent = false
    }
  }, [language])
  return locale
}
