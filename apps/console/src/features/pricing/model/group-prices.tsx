import type { PricedModel } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { callPrice, formatPrice, formatRatio, isPerCall, tokenPrices } from '../prices.ts'
import styles from '../pricing.module.css'

interface Props {
  model: PricedModel
  ratios: Readonly<Record<string, number>>
  descriptions: Readonly<Record<string, string>>
}

/** What the model costs in each group that the reader may use. */
export function GroupPrices({ model, ratios, descriptions }: Props) {
  const { t } = useTranslation('pricing')
  const hasCache = model.cache_ratio !== undefined
  const perCall = isPerCall(model)
  return (
    <section className={styles.panel} aria-labelledby="group-prices">
      <h2 id="group-prices" className={styles.panelTitle}>
        {t('groupPrices.title')}
      </h2>
      <p className={styles.panelHint}>{t(perCall ? 'groupPrices.hintPerCall' : 'groupPrices.hint')}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <section className={styles.tableFrame} tabIndex={0} aria-label={t('groupPrices.title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('groupPrices.group')}</th>
              <th scope="col" className={styles.wideOnly}>
                {t('groupPrices.ratio')}
              </th>
              {perCall ? (
                <th scope="col">{t('columns.call')}</th>
              ) : (
                <>
                  <th scope="col">{t('groupPrices.input')}</th>
                  {hasCache && <th scope="col">{t('groupPrices.cached')}</th>}
                  <th scope="col">{t('groupPrices.output')}</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {model.enable_groups.map((group) => (
              <tr key={group}>
                <th scope="row">
                  <span>{group}</span>
                  {/* A phone has no room for a column of it. */}
                  <span className={`number secondary ${styles.narrowOnly}`}> × {formatRatio(ratios[group] ?? 1)}</span>
                  {descriptions[group] && descriptions[group] !== group && (
                    <span className={styles.description}>{descriptions[group]}</span>
                  )}
                </th>
                <td className={styles.wideOnly}>× {formatRatio(ratios[group] ?? 1)}</td>
                {prices(ratios[group] ?? 1).map(({ name, amount }) => (
                  <td key={name}>{formatPrice(amount)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!perCall && (
        <p className={styles.panelHint}>
          {t('groupPrices.formula', {
            model: formatRatio(model.model_ratio),
            completion: formatRatio(model.completion_ratio),
          })}
        </p>
      )}
    </section>
  )

  function prices(ratio: number): { name: string; amount: number }[] {
    if (perCall) return [{ name: 'call', amount: callPrice(model, ratio) }]
    const { input, cached, output } = tokenPrices(model, ratio)
    return [
      { name: 'input', amount: input },
      ...(cached === undefined ? [] : [{ name: 'cached', amount: cached }]),
      { name: 'output', amount: output },
    ]
  }
}
