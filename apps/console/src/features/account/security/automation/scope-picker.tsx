import type { ScopeChoice } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Button, Checkbox } from '../../../../ui/kit/index.ts'
import styles from './scope-picker.module.css'

interface Props {
  choices: readonly ScopeChoice[]
  /** Given by the form. */
  id?: string
  value?: readonly string[]
  onChange?(scopes: string[]): void
}

const NOTHING: readonly string[] = []
const LEVELS = ['read', 'write'] as const
/** Secrets are ticked by themselves: whoever wants to look at everything hardly means those. */
const isPlainRead = ({ scope, area }: ScopeChoice) => scope.endsWith(':read') && area !== 'channel_keys'

/** What a token may do: an area to a line, to be read or changed, with the two sets that people want most. */
export function ScopePicker({ choices, id, value = NOTHING, onChange }: Props) {
  const { t } = useTranslation('security')
  const offered = choices.map(({ scope }) => scope)
  const areas = [...new Set(choices.map(({ area }) => area))]
  const toggle = (scope: string, isChosen: boolean) =>
    onChange?.(isChosen ? [...value, scope] : value.filter((other) => other !== scope))
  return (
    <div id={id} className={styles.picker}>
      <div className={styles.presets}>
        <Button size="small" onClick={() => onChange?.(choices.filter(isPlainRead).map(({ scope }) => scope))}>
          {t('automation.readAll')}
        </Button>
        <Button size="small" onClick={() => onChange?.(offered)}>
          {t('automation.all')}
        </Button>
        <Button size="small" type="text" disabled={value.length === 0} onClick={() => onChange?.([])}>
          {t('automation.clear')}
        </Button>
      </div>
      <div className={styles.areas}>
        {areas.map((area) => (
          <fieldset key={area} className={styles.area} aria-label={t(`automation.areas.${area}`)}>
            <span className={styles.name}>{t(`automation.areas.${area}`)}</span>
            {LEVELS.map((level) => {
              const scope = `${area}:${level}`
              return offered.includes(scope) ? (
                <Checkbox
                  key={level}
                  className={styles.level}
                  checked={value.includes(scope)}
                  onChange={(event) => toggle(scope, event.target.checked)}
                >
                  {t(`automation.${level}`)}
                </Checkbox>
              ) : (
                <span key={level} className={styles.level} />
              )
            })}
          </fieldset>
        ))}
      </div>
    </div>
  )
}
