import { MoonOutlined, SunOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { chooseThemeMode, useThemeMode } from '../../lib/theme/theme-mode.ts'
import { Button, Tooltip } from '../../ui/kit/index.ts'

export function ThemeToggle() {
  const { t } = useTranslation('shell')
  const isDark = useThemeMode((state) => state.mode === 'dark')
  const name = isDark ? t('useLight') : t('useDark')
  return (
    <Tooltip title={name}>
      <Button
        type="text"
        aria-label={name}
        icon={isDark ? <SunOutlined aria-hidden /> : <MoonOutlined aria-hidden />}
        onClick={() => chooseThemeMode(isDark ? 'light' : 'dark')}
      />
    </Tooltip>
  )
}
