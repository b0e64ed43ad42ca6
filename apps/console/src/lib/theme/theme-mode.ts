import { create } from 'zustand'
import { stored } from '../stored.ts'
import type { ThemeMode } from './palette.ts'

interface ThemeState {
  mode: ThemeMode
}

/** The theme that the user selected, or the theme of the system. */
export const useThemeMode = create<ThemeState>(() => ({ mode: stored.themeMode.get() ?? systemMode() }))

export function chooseThemeMode(mode: ThemeMode): void {
  stored.themeMode.set(mode)
  useThemeMode.setState({ mode })
}

/** Applies the theme to the page. Follows the system until the user selects a theme. */
export function followTheme(): void {
  const show = ({ mode }: ThemeState) => {
    document.documentElement.dataset.theme = mode
  }
  show(useThemeMode.getState())
  useThemeMode.subscribe(show)
  darkPreference().addEventListener('change', () => {
    if (stored.themeMode.get() === null) useThemeMode.setState({ mode: systemMode() })
  })
}

function systemMode(): ThemeMode {
  return darkPreference().matches ? 'dark' : 'light'
}

function darkPreference(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)')
}
