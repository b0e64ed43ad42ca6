import { create } from 'zustand'
import { stored } from '../stored.ts'
import type { ThemeMode } from './palette.ts'

interface ThemeState {
  mode: ThemeMode
}

/** Light or dark: what the person chose, else what the system wishes. */
export const useThemeMode = create<ThemeState>(() => ({ mode: stored.themeMode.get() ?? systemMode() }))

export function chooseThemeMode(mode: ThemeMode): void {
  stored.themeMode.set(mode)
  useThemeMode.setState({ mode })
}

/** Keeps the page's own colours in step, and follows the system until the person has chosen. */
export function followTheme(): void {
  const show = ({ mode }: ThemeState) => {
    document.documentElement.dataset.theme = mode
  }
  show(useThemeMode.getState())
  useThemeMode.subscribe(show)
  darkWish().addEventListener('change', () => {
    if (stored.themeMode.get() === null) useThemeMode.setState({ mode: systemMode() })
  })
}

function systemMode(): ThemeMode {
  return darkWish().matches ? 'dark' : 'light'
}

function darkWish(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)')
}
