import {
  AudioOutlined,
  BulbOutlined,
  CodeOutlined,
  DatabaseOutlined,
  EyeOutlined,
  FilePdfOutlined,
  ToolOutlined,
} from '@ant-design/icons'
import type { PricedModel } from '@tidegate/contract/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Tooltip } from '../../ui/kit/index.ts'
import styles from './pricing.module.css'
import type { Ability } from './pricing-filters.ts'

const ICONS: Record<Ability, ReactNode> = {
  vision: <EyeOutlined aria-hidden />,
  tools: <ToolOutlined aria-hidden />,
  reasoning: <BulbOutlined aria-hidden />,
  json: <CodeOutlined aria-hidden />,
  audio: <AudioOutlined aria-hidden />,
  pdf: <FilePdfOutlined aria-hidden />,
  cache: <DatabaseOutlined aria-hidden />,
}

interface Props {
  model: Pick<PricedModel, 'abilities'>
  /** Names each; in a row of a table the names show on hover. */
  words?: boolean
}

/** What a model can do. */
export function Abilities({ model: { abilities }, words = false }: Props) {
  const { t } = useTranslation('pricing')
  if (abilities.length === 0) return <span className="secondary">–</span>
  return (
    <ul className={styles.abilities} data-words={words || undefined} aria-label={t('columns.abilities')}>
      {abilities.map((ability) => (
        <li key={ability}>
          {words ? (
            <span className={styles.ability}>
              {ICONS[ability]} {t(`abilities.${ability}`)}
            </span>
          ) : (
            <Tooltip title={t(`abilities.${ability}`)}>
              <span className={styles.abilityIcon}>
                {ICONS[ability]}
                <span className="visually-hidden">{t(`abilities.${ability}`)}</span>
              </span>
            </Tooltip>
          )}
        </li>
      ))}
    </ul>
  )
}
