// Runs before the first paint, so that a dark page never flashes white. A file and not inline: the page forbids inline scripts.
;(function () {
  var mode = null
  try {
    mode = localStorage.getItem('theme-mode')
  } catch {
    // Storage may be blocked; the system's wish decides then.
  }
  if (mode !== 'dark' && mode !== 'light') {
    mode = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.dataset.theme = mode
})()
