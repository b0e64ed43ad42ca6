import { useTranslation } from 'react-i18next'
import styles from '../dashboard.module.css'
import type { Stack } from './stack-option.ts'

interface Props {
  stack: Stack
  label: string
  height: number
}

/** The numbers behind a chart, the newest first. Scrolls in its own frame. */
export function StepTable({ stack, label, height }: Props) {
  const { t } = useTranslation('dashboard')
  const { series, metric, words, look, names, total } = stack
  const rows = names.map((name, index) => ({
    name,
    values: series.map(({ steps }) => steps[index]![metric]),
  }))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={styles.tableFrame} style={{ height }} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            <th scope="col">{total}</th>
            {series.map(({ model }) => (
              <th key={model ?? 0} scope="col" className="mono">
                {look.nameOf(model)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{words.write(values.reduce((sum, value) => sum + value, 0))}</td>
              {values.map((value, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- the columns keep their places
                <td key={index}>{value === 0 ? '–' : words.write(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
