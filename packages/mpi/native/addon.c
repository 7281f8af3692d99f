/*
 * MPI for JavaScript. One thread owns MPI from Init to Finalize; JavaScript hands it sends and receives and hears of each
 * one's end through a thread-safe function. The thread looks after its requests without pause for 200 turns, then rests
 * 20 to 100 microseconds between looks: with more ranks than cores the others need the core.
 *
 *   load(path)                                      -> { version, mpich, ulfm }
 *   start(onEnd)                                    onEnd([id, code, value, ...]): see the ids below
 *   post(first id, Int32Array [kind, peer, tag, ...], [memory, ...])   ids first, first + 1, ...
 *   shrink(), stop()
 *   errorText(code)
 *
 * Kinds of a request: 0 send, 1 receive, 5 receive letters: the next one of its peer and tag, and with it all that are there
 * by then, up to 16. Their memory holds 16 lengths of 32 bits and then 16 places of one size.
 *
 * Ends: id >= 0 a request (value: bytes received, or letters); -1 started (code, rank, size); -2 shrunk (code, rank, size);
 * -3 stopped. The caller keeps the memory of a request alive and unmoved until its end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <node_api.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libmpi.h"

enum { SEND = 0, RECEIVE = 1, SHRINK = 3, STOP = 4, LETTER = 5 };
/* Letters that are received together. */
enum { TOGETHER = 16 };
enum { STARTED = -1, SHRUNK = -2, STOPPED = -3 };

typedef struct Task {
  struct Task *next;
  int kind, peer, tag, id;
  void *data;
  int bytes;
  Handle request;
} Task;

/* Ends on their way to JavaScript: groups of id, code, value. */
typedef struct {
  int count, room;
  int32_t *words;
} Ends;

static pthread_t thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake;
static Task *queue_first, *queue_last;
static napi_threadsafe_function report;
static int running;

static void end(Ends *ends, int id, int code, int value) {
  if (ends->count + 3 > ends->room) {
    ends->room = ends->room == 0 ? 24 : 2 * ends->room;
    ends->words = realloc(ends->words, sizeof(int32_t) * (size_t)ends->room);
    if (ends->words == NULL) abort();
  }
  ends->words[ends->count++] = id;
  ends->words[ends->count++] = code;
  ends->words[ends->count++] = value;
}

static void send_ends(Ends *ends) {
  if (ends->count == 0) return;
  Ends *copy = malloc(sizeof *copy);
  if (copy == NULL) abort();
  *copy = *ends;
  memset(ends, 0, sizeof *ends);
  napi_call_threadsafe_function(report, copy, napi_tsfn_blocking);
}

/* Rank and size as two groups, after the code. */
static void end_place(Ends *ends, int id, int code) {
  int rank = -1, size = -1;
  if (code == 0) mpi_place(&rank, &size);
  end(ends, id, code, rank);
  end(ends, id, code, size);
}

static int place_bytes(const Task *task) { return (task->bytes - 4 * TOGETHER) / TOGETHER; }
static char *place(const Task *task, int k) { return (char *)task->data + 4 * TOGETHER + (size_t)k * (size_t)place_bytes(task); }

static void begin(Task *task, Task **active, Ends *ends) {
  void *data = task->kind == LETTER ? place(task, 0) : task->data;
  int bytes = task->kind == LETTER ? place_bytes(task) : task->bytes;
  int code = task->kind == SEND ? mpi_isend(data, bytes, task->peer, task->tag, &task->request)
                                : mpi_irecv(data, bytes, task->peer, task->tag, &task->request);
  if (code != 0) {
    end(ends, task->id, code, 0);
    free(task);
    return;
  }
  task->next = *active;
  *active = task;
}

/* The first letter has come: takes those that are there behind it, and answers how many there are in all. */
static int take_letters(Task *task, int first) {
  int32_t *lengths = task->data;
  lengths[0] = first;
  int count = 1;
  while (count < TOGETHER && mpi_waits(task->peer, task->tag)) {
    int done = 0, bytes = 0;
    Status status;
    if (mpi_irecv(place(task, count), place_bytes(task), task->peer, task->tag, &task->request) != 0) break;
    int code = 0;
    while (code == 0 && !done) code = mpi_test(&task->request, &done, &status);
    if (code != 0) break;
    mpi_bytes(&status, &bytes);
    lengths[count++] = bytes;
  }
  return count;
}

static int look(Task **active, Ends *ends) {
  int before = ends->count;
  for (Task **at = active; *at != NULL;) {
    Task *task = *at;
    int done = 0, bytes = 0;
    Status status;
    int code = mpi_test(&task->request, &done, &status);
    if (!done && code == 0) {
      at = &task->next;
      continue;
    }
    if (code == 0 && task->kind != SEND) mpi_bytes(&status, &bytes);
    if (code == 0 && task->kind == LETTER) bytes = take_letters(task, bytes);
    end(ends, task->id, code, bytes);
    *at = task->next;
    free(task);
  }
  return ends->count - before;
}

/*
 * A rest of so many nanoseconds, or until it is woken, on a clock that nobody sets: by the time of day a wait would last an
 * hour where the clock is put back by one.
 */
#ifdef __APPLE__
static int make_wake(void) { return pthread_cond_init(&wake, NULL); }
static void rest(long nanoseconds) {
  struct timespec length = {0, nanoseconds};
  pthread_cond_timedwait_relative_np(&wake, &lock, &length);
}
#else
static int make_wake(void) {
  pthread_condattr_t monotonic;
  int code = pthread_condattr_init(&monotonic);
  if (code == 0) code = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  return code == 0 ? pthread_cond_init(&wake, &monotonic) : code;
}
static void rest(long nanoseconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += nanoseconds;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  pthread_cond_timedwait(&wake, &lock, &until);
}
#endif

static Task *take_queue(int idle, int active) {
  pthread_mutex_lock(&lock);
  if (queue_first == NULL && !active) {
    while (queue_first == NULL) pthread_cond_wait(&wake, &lock);
  } else if (queue_first == NULL && idle > 200) rest(idle > 1000 ? 100000 : 20000);
  Task *all = queue_first;
  queue_first = queue_last = NULL;
  pthread_mutex_unlock(&lock);
  return all;
}

static int has_sends(const Task *task) {
  while (task != NULL && task->kind != SEND) task = task->next;
  return task != NULL;
}

static void *own_mpi(void *unused) {
  (void)unused;
  Ends ends = {0};
  Task *active = NULL;
  int provided = 0, idle = 0, stop = 0;
  end_place(&ends, STARTED, mpi_init(&provided));
  send_ends(&ends);
  while (!stop) {
    Task *task = take_queue(idle, active != NULL);
    if (task != NULL) idle = 0;
    for (Task *next; task != NULL; task = next) {
      next = task->next;
      if (task->kind == STOP) stop = 1;
      if (task->kind == SHRINK) end_place(&ends, SHRUNK, mpi_shrink());
      if (task->kind == STOP || task->kind == SHRINK) free(task);
      else begin(task, &active, &ends);
    }
    if (look(&active, &ends) > 0) idle = 0;
    else {
      if (idle < 200) sched_yield();
      if (idle <= 1000) idle++;
    }
    send_ends(&ends);
  }
  /* What peers are still to receive from us must get a chance to leave: a second at most. */
  for (int turn = 0; turn < 10000 && has_sends(active); turn++) {
    look(&active, &ends);
    struct timespec rest = {0, 100000};
    nanosleep(&rest, NULL);
  }
  while (active != NULL) {
    Task *task = active;
    active = task->next;
    /* Only receives can be ended by force: what was sent stays on its way. */
    if (task->kind != SEND) mpi_cancel(&task->request);
    end(&ends, task->id, -1, 0);
    free(task);
  }
  end(&ends, STOPPED, mpi_finalize(), 0);
  send_ends(&ends);
  napi_release_threadsafe_function(report, napi_tsfn_release);
  return NULL;
}

static void enqueue(Task *first, Task *last) {
  pthread_mutex_lock(&lock);
  if (queue_last == NULL) queue_first = first;
  else queue_last->next = first;
  queue_last = last;
  pthread_cond_signal(&wake);
  pthread_mutex_unlock(&lock);
}

static napi_value fail(napi_env env, const char *text) {
  napi_throw_error(env, NULL, text);
  return NULL;
}

static void on_ends(napi_env env, napi_value callback, void *context, void *data) {
  (void)context;
  Ends *ends = data;
  if (env != NULL) {
    napi_value buffer, words, undefined;
    void *copy = NULL;
    napi_create_arraybuffer(env, sizeof(int32_t) * (size_t)ends->count, &copy, &buffer);
    memcpy(copy, ends->words, sizeof(int32_t) * (size_t)ends->count);
    napi_create_typedarray(env, napi_int32_array, (size_t)ends->count, buffer, 0, &words);
    napi_get_undefined(env, &undefined);
    napi_call_function(env, undefined, callback, 1, &words, NULL);
  }
  free(ends->words);
  free(ends);
}

static napi_value js_load(napi_env env, napi_callback_info info) {
  size_t count = 1, length = 0;
  napi_value argument;
  char path[1024] = "";
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  if (count > 0) napi_get_value_string_utf8(env, argument, path, sizeof path, &length);
  const char *why = mpi_load(path);
  if (why != NULL) return fail(env, why);
  static const char *const names[] = {"version", "mpich", "ulfm"};
  napi_value result, values[3];
  napi_create_object(env, &result);
  napi_create_string_utf8(env, mpi_version(), NAPI_AUTO_LENGTH, &values[0]);
  napi_get_boolean(env, mpi_is_mpich(), &values[1]);
  napi_get_boolean(env, mpi_has_ulfm(), &values[2]);
  for (int k = 0; k < 3; k++) napi_set_named_property(env, result, names[k], values[k]);
  return result;
}

static napi_value js_start(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value callback, name;
  napi_get_cb_info(env, info, &count, &callback, NULL, NULL);
  if (running) return fail(env, "MPI can be started once in a program");
  napi_create_string_utf8(env, "equitopo mpi", NAPI_AUTO_LENGTH, &name);
  if (napi_create_threadsafe_function(env, callback, NULL, name, 0, 1, NULL, NULL, NULL, on_ends, &report) != napi_ok) {
    return fail(env, "start takes a function");
  }
  running = 1;
  if (make_wake() != 0) return fail(env, "no monotonic clock for MPI's thread");
  if (pthread_create(&thread, NULL, own_mpi, NULL) != 0) return fail(env, "no thread for MPI");
  pthread_detach(thread);
  return NULL;
}

static Task *new_task(int kind) {
  Task *task = calloc(1, sizeof *task);
  if (task == NULL) abort();
  task->kind = kind;
  return task;
}

static napi_value js_post(napi_env env, napi_callback_info info) {
  size_t count = 3, words = 0;
  napi_value arguments[3];
  int32_t id = 0, *numbers = NULL;
  uint32_t length = 0;
  napi_typedarray_type type;
  napi_get_cb_info(env, info, &count, arguments, NULL, NULL);
  if (napi_get_value_int32(env, arguments[0], &id) != napi_ok ||
      napi_get_typedarray_info(env, arguments[1], &type, &words, (void **)&numbers, NULL, NULL) != napi_ok ||
      type != napi_int32_array || napi_get_array_length(env, arguments[2], &length) != napi_ok || words < 3 * length) {
    return fail(env, "post takes an id, an Int32Array of kind, peer, tag, and as many memories");
  }
  Task *first = NULL, *last = NULL;
  for (uint32_t k = 0; k < length; k++) {
    static const size_t widths[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
    napi_value memory;
    size_t elements = 0;
    Task *task = new_task(numbers[3 * k]);
    task->peer = numbers[3 * k + 1];
    task->tag = numbers[3 * k + 2];
    task->id = id + (int)k;
    napi_get_element(env, arguments[2], k, &memory);
    if (napi_get_typedarray_info(env, memory, &type, &elements, &task->data, NULL, NULL) == napi_ok) {
      size_t bytes = elements * widths[type];
      task->bytes = bytes > INT32_MAX ? -1 : (int)bytes;
    }
    if (last == NULL) first = task;
    else last->next = task;
    last = task;
  }
  if (first != NULL) enqueue(first, last);
  return NULL;
}

static napi_value command(int kind) {
  Task *task = new_task(kind);
  enqueue(task, task);
  return NULL;
}

static napi_value js_shrink(napi_env env, napi_callback_info info) {
  (void)info;
  if (!mpi_has_ulfm()) return fail(env, "this libmpi cannot survive a rank's death (Open MPI 5 and later can)");
  return command(SHRINK);
}

static napi_value js_stop(napi_env env, napi_callback_info info) { return (void)env, (void)info, command(STOP); }

static napi_value js_error_text(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument, result;
  int32_t code = 0;
  char text[512];
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  napi_get_value_int32(env, argument, &code);
  mpi_error(code, text, sizeof text);
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &result);
  return result;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback call;
  } members[] = {{"load", js_load},     {"start", js_start}, {"post", js_post},
                 {"shrink", js_shrink}, {"stop", js_stop},   {"errorText", js_error_text}};
  for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
    napi_value function;
    napi_create_function(env, members[k].name, NAPI_AUTO_LENGTH, members[k].call, NULL, &function);
    napi_set_named_property(env, exports, members[k].name, function);
  }
  return exports;
}
