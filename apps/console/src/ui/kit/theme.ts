import { theme, type ThemeConfig } from 'antd'
import { FONT_FAMILY, MONO_FAMILY, PALETTES, type Palette, type ThemeMode } from '../../lib/theme/palette.ts'

/** The palette as an Ant Design theme. The build extracts styles to CSS files; only variables are set at run time. */
export function antdTheme(mode: ThemeMode, { motion }: { motion: boolean }): ThemeConfig {
  const palette = PALETTES[mode]
  const base = mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm
  return {
    zeroRuntime: import.meta.env.MODE !== 'development',
    hashed: false,
    cssVar: { key: 'tidegate' },
    algorithm: [base, exactColours(palette)],
    token: {
      motion,
      colorPrimary: palette.primary,
      colorLink: palette.primary,
      colorSuccess: palette.good,
      colorWarning: palette.warn,
      colorError: palette.bad,
      colorInfo: palette.info,
      fontFamily: FONT_FAMILY,
      fontFamilyCode: MONO_FAMILY,
      fontSize: 14,
      borderRadius: 6,
      borderRadiusLG: 8,
      motionDurationFast: '0.08s',
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.14s',
      colorTextPlaceholder: mode === 'dark' ? '#8993a5' : '#697385',
      colorTextDescription: palette.secondary,
      colorIcon: palette.secondary,
      boxShadowSecondary: palette.shadow,
      colorSplit: palette.divider,
    },
    components: {
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        primaryColor: palette.onPrimary,
        dangerColor: palette.onPrimary,
        fontWeight: 500,
      },
      Form: { verticalLabelPadding: '0 0 4px', itemMarginBottom: 20 },
      Table: {
        fontSize: 13,
        cellPaddingBlockMD: 8,
        cellPaddingInlineMD: 8,
        headerBg: palette.surface,
        headerColor: palette.secondary,
        headerSplitColor: 'transparent',
        rowHoverBg: palette.page,
        rowExpandedBg: palette.page,
        borderColor: palette.divider,
      },
      // The default track has the colour of the page and would be invisible on it.
      Segmented: {
        trackBg: palette.border,
        itemSelectedBg: mode === 'dark' ? palette.control : palette.surface,
      },
      Tooltip: { colorBgSpotlight: mode === 'dark' ? '#2b3140' : '#131722' },
      Modal: { contentBg: palette.raised, headerBg: palette.raised },
      Drawer: { colorBgElevated: palette.raised },
    },
  }
}

/** Replaces colours that Ant Design derives, so that text keeps enough contrast. */
function exactColours(palette: Palette): NonNullable<Extract<ThemeConfig['algorithm'], (...args: never[]) => unknown>> {
  return (_seed, map) => ({
    ...(map as NonNullable<typeof map>),
    colorPrimary: palette.primary,
    colorPrimaryHover: palette.primaryHover,
    colorPrimaryActive: palette.primaryHover,
    colorPrimaryBg: palette.primaryWash,
    colorPrimaryBgHover: palette.primaryWash,
    colorPrimaryText: palette.primary,
    colorLink: palette.primary,
    colorLinkHover: palette.primaryHover,
    colorLinkActive: palette.primaryHover,
    colorSuccess: palette.good,
    colorSuccessBg: palette.goodWash,
    colorWarning: palette.warn,
    colorWarningBg: palette.warnWash,
    colorError: palette.bad,
    colorErrorText: palette.bad,
    colorErrorBg: palette.badWash,
    colorInfo: palette.info,
    colorInfoBg: palette.infoWash,
    colorBgLayout: palette.page,
    colorBgContainer: palette.surface,
    colorBgElevated: palette.raised,
    colorBorder: palette.control,
    colorBorderSecondary: palette.divider,
    colorText: palette.text,
    colorTextSecondary: palette.secondary,
    colorTextTertiary: palette.secondary,
    colorTextQuaternary: palette.faint,
  })
}
