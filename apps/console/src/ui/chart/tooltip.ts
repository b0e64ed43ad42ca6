import styles from './chart.module.css'

export interface TooltipLine {
  color?: string
  name: string
  value: string
}

/** Content of a tooltip. Built from elements, because model names are user input and must not become markup. */
export function tooltipBox(title: string, lines: readonly TooltipLine[], total?: TooltipLine): HTMLElement {
  const box = element('div', styles.tooltip)
  box.append(element('div', styles.tooltipTitle, title))
  for (const line of lines) box.append(lineElement(line))
  if (total) {
    const sum = lineElement(total)
    sum.classList.add(styles.tooltipTotal!)
    box.append(sum)
  }
  return box
}

function lineElement({ color, name, value }: TooltipLine): HTMLElement {
  const line = element('div', styles.tooltipLine)
  const dot = element('span', styles.dot)
  if (color) dot.style.background = color
  line.append(dot, element('span', styles.tooltipName, name), element('span', styles.tooltipValue, value))
  return line
}

function element(tag: string, className: string | undefined, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className ?? ''
  made.textContent = text
  return made
}
