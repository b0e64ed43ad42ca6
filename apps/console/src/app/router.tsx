import { createBrowserRouter, type RouteObject } from 'react-router'
import { loadTexts } from '../lib/i18n.ts'
import { AppRoot } from './app-root.tsx'
import { SCREENS, type Screen, type ScreenHandle } from './route-table.ts'
import { FailedScreen, LoadingScreen } from './screen-states.tsx'

export function screenRoutes(screens: readonly Screen[] = SCREENS): RouteObject[] {
  return [
    {
      Component: AppRoot,
      ErrorBoundary: FailedScreen,
      HydrateFallback: () => null,
      children: [{ ErrorBoundary: FailedScreen, children: screens.map(screenRoute) }],
    },
  ]
}

export const newRouter = () => createBrowserRouter(screenRoutes())

function screenRoute({ path, guard, title, help, texts, load }: Screen): RouteObject {
  return {
    path,
    handle: { guard, title, help } satisfies ScreenHandle,
    HydrateFallback: LoadingScreen,
    lazy: async () => {
      const [module] = await Promise.all([load(), ...texts.map(loadTexts)])
      return { Component: module.default }
    },
  }
}
