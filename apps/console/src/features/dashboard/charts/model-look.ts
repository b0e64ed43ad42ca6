import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MODEL_PALETTE, modelSlots, otherColor } from '../../../lib/model-colors.ts'
import { useThemeMode } from '../../../lib/theme/theme-mode.ts'
import type { Usage } from '../data/usage.ts'

/** How the models of this dashboard look and are called, the same in every part of it. */
export interface ModelLook {
  colorOf(model: string | null): string
  nameOf(model: string | null): string
}

export function useModelLook({ series }: Pick<Usage, 'series'>): ModelLook {
  const { t } = useTranslation('dashboard')
  const mode = useThemeMode((state) => state.mode)
  return useMemo(() => {
    const slots = modelSlots(series.flatMap(({ model }) => model ?? []))
    return {
      colorOf: (model) => MODEL_PALETTE[mode][slots.get(model ?? '') ?? -1] ?? otherColor(mode),
      nameOf: (model) => (model === null ? t('otherModels') : model || t('unnamedModel')),
    }
  }, [series, mode, t])
}
