/* A time of day that is an hour ahead of the system's: for preloading. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
  int code = (int)syscall(SYS_clock_gettime, clock, now);
  if (code == 0 && clock == CLOCK_REALTIME) now->tv_sec += 3600;
  return code;
}
