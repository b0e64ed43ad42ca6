import { useTranslation } from 'react-i18next'
import { RatioTag } from '../../ui/ratio-tag.tsx'

/** What a group multiplies prices with. */
export function GroupRatio({ ratio }: { ratio: number }) {
  const { t } = useTranslation('tokens')
  return <RatioTag ratio={ratio}>{t('ratio', { ratio })}</RatioTag>
}
