/* Measured times and their quantiles. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  uint32_t *values; /* tenths of a microsecond */
  size_t count, size;
} samples;

static void add_sample(samples *to, uint64_t ns) {
  if (to->count == to->size) {
    to->size = to->size ? to->size * 2 : 65536;
    to->values = realloc(to->values, to->size * sizeof *to->values);
  }
  uint64_t value = ns / 100;
  to->values[to->count++] = value > UINT32_MAX ? UINT32_MAX : value;
}

static int ascending(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static double quantile(const samples *of, double share) {
  return of->count ? of->values[(size_t)(share * (of->count - 1) + 0.5)] / 10.0 : 0;
}

static void print_samples(const char *name, samples *of) {
  qsort(of->values, of->count, sizeof *of->values, ascending);
  printf("\"%s\":{\"count\":%zu,\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f},", name, of->count,
         quantile(of, .5), quantile(of, .9), quantile(of, .99), quantile(of, .999), quantile(of, 1));
}
