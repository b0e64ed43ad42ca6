import { createBrowserRouter, type RouteObject } from 'react-router'
import { loadTexts } from '../lib/i18n.ts'
import { AppRoot } from './app-root.tsx'
import { BrokenScreen } from './broken-screen.tsx'
import { LateScreen } from './late-screen.tsx'
import { SCREENS, type Screen, type ScreenHandle } from './route-table.ts'

export function screenRoutes(screens: readonly Screen[] = SCREENS): RouteObject[] {
  return [
    {
      Component: AppRoot,
      ErrorBoundary: BrokenScreen,
      HydrateFallback: () => null,
      children: [{ ErrorBoundary: BrokenScreen, children: screens.map(screenRoute) }],
    },
  ]
}

export const newRouter = () => createBrowserRouter(screenRoutes())

function screenRoute({ path, guard, title, texts, load }: Screen): RouteObject {
  return {
    path,
    handle: { guard, title } satisfies ScreenHandle,
    HydrateFallback: LateScreen,
    lazy: async () => {
      const [module] = await Promise.all([load(), ...texts.map(loadTexts)])
      return { Component: module.default }
    },
  }
}
