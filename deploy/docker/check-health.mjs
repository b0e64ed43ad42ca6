// Exits with 0 if this process serves a path: node check-health.mjs /readyz
const response = await fetch(`http://127.0.0.1:${process.env.PORT}${process.argv[2]}`).catch(() => undefined)
process.exit(response?.ok ? 0 : 1)
