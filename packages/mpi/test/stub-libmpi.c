/*
 * A libmpi with nobody behind it, for what a real network will not do on request: rank 0 of 3, where rank 1 echoes what it
 * is sent and rank 2 is dead. With -DMPICH its handles are MPICH's numbers, else Open MPI's addresses; with -DULFM it can
 * shrink; with -DSLOW an echo takes 50 milliseconds. It aborts on any handle that is not its own.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef MPICH
typedef int Comm, Type, Errhandler, Request;
#define WORLD 0x44000000
#define BYTE 0x4c00010d
#define ERRORS_RETURN 0x54000001
#define SHRUNK 0x44000077
#else
typedef void *Comm, *Type, *Errhandler, *Request;
int ompi_mpi_comm_world, ompi_mpi_byte, ompi_mpi_errors_return, shrunk_comm;
#define WORLD ((void *)&ompi_mpi_comm_world)
#define BYTE ((void *)&ompi_mpi_byte)
#define ERRORS_RETURN ((void *)&ompi_mpi_errors_return)
#define SHRUNK ((void *)&shrunk_comm)
#endif

enum { TRUNCATED = 15, DEAD = 75, REVOKED = 76 };
enum { ROOM = 64 };
static struct {
  int used, peer, tag, receive, bytes, cancelled;
  void *data;
} requests[ROOM];
static struct {
  int used, tag, bytes;
  char *data;
  struct timespec sent;
} echoes[ROOM];

/* Whether an echo has come back. */
static int is_here(int k, int tag) {
  if (!echoes[k].used || echoes[k].tag != tag) return 0;
#ifdef SLOW
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)(now.tv_sec - echoes[k].sent.tv_sec) + 1e-6 * (double)(now.tv_nsec - echoes[k].sent.tv_nsec) > 50;
#else
  return 1;
#endif
}
static int revoked, shrunk;

static void insist(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "stub libmpi: wrong %s\n", what);
  abort();
}

static void check(Comm comm) { insist(comm == (shrunk ? SHRUNK : WORLD), "communicator"); }

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided) {
  (void)argc;
  (void)argv;
  *provided = wanted;
  return 0;
}
int MPI_Finalize(void) { return 0; }
int MPI_Barrier(Comm comm) {
  check(comm);
  return 0;
}
int MPI_Error_string(int code, char *text, int *length) {
  const char *known = code == DEAD ? "process failed" : code == REVOKED ? "revoked" : "error";
  *length = sprintf(text, "%s", code == TRUNCATED ? "truncated" : known);
  return 0;
}
int MPI_Get_library_version(char *text, int *length) {
  *length = sprintf(text, "stub");
  return 0;
}
int MPI_Comm_rank(Comm comm, int *rank) {
  check(comm);
  *rank = 0;
  return 0;
}
int MPI_Comm_size(Comm comm, int *size) {
  check(comm);
  *size = shrunk ? 2 : 3;
  return 0;
}
int MPI_Comm_set_errhandler(Comm comm, Errhandler handler) {
  (void)comm;
  insist(handler == ERRORS_RETURN, "error handler");
  return 0;
}

static int request(int peer, int tag, int receive, void *data, int bytes, Request *out) {
  for (int k = 1; k < ROOM; k++) {
    if (requests[k].used) continue;
    requests[k].used = 1;
    requests[k].peer = peer;
    requests[k].tag = tag;
    requests[k].receive = receive;
    requests[k].data = data;
    requests[k].bytes = bytes;
    requests[k].cancelled = 0;
    *out = (Request)(size_t)k;
    return 0;
  }
  insist(0, "number of requests");
  return 1;
}

int MPI_Isend(const void *data, int bytes, Type type, int peer, int tag, Comm comm, Request *out) {
  insist(type == BYTE, "type");
  check(comm);
  for (int k = 0; peer == 1 && k < ROOM; k++) {
    if (echoes[k].used) continue;
    echoes[k].used = 1;
    clock_gettime(CLOCK_MONOTONIC, &echoes[k].sent);
    echoes[k].tag = tag;
    echoes[k].bytes = bytes;
    echoes[k].data = malloc((size_t)bytes);
    memcpy(echoes[k].data, data, (size_t)bytes);
    break;
  }
  return request(peer, tag, 0, (void *)data, bytes, out);
}

int MPI_Irecv(void *data, int bytes, Type type, int peer, int tag, Comm comm, Request *out) {
  insist(type == BYTE, "type");
  check(comm);
  return request(peer, tag, 1, data, bytes, out);
}

int MPI_Test(Request *handle, int *done, void *status) {
  int k = (int)(size_t)*handle;
  *done = 1;
  if (revoked && !shrunk) {
    requests[k].used = 0;
    return REVOKED;
  }
  if (requests[k].peer == 2 && !shrunk) {
    requests[k].used = 0;
    return DEAD;
  }
  if (!requests[k].receive) {
    requests[k].used = 0;
    return 0;
  }
  for (int e = 0; e < ROOM; e++) {
    if (!is_here(e, requests[k].tag)) continue;
    int fits = echoes[e].bytes <= requests[k].bytes;
    memcpy(requests[k].data, echoes[e].data, (size_t)(fits ? echoes[e].bytes : requests[k].bytes));
    *(int *)status = echoes[e].bytes;
    free(echoes[e].data);
    echoes[e].used = 0;
    requests[k].used = 0;
    return fits ? 0 : TRUNCATED;
  }
  *done = 0;
  return 0;
}

int MPI_Iprobe(int peer, int tag, Comm comm, int *there, void *status) {
  (void)status;
  check(comm);
  *there = 0;
  for (int e = 0; e < ROOM; e++) *there |= peer == 1 && is_here(e, tag);
  return 0;
}
int MPI_Get_count(const void *status, Type type, int *bytes) {
  insist(type == BYTE, "type");
  *bytes = *(const int *)status;
  return 0;
}
int MPI_Cancel(Request *handle) {
  requests[(int)(size_t)*handle].cancelled = 1;
  return 0;
}
int MPI_Wait(Request *handle, void *status) {
  (void)status;
  insist(requests[(int)(size_t)*handle].cancelled, "wait");
  requests[(int)(size_t)*handle].used = 0;
  return 0;
}

#ifdef ULFM
int MPIX_Comm_revoke(Comm comm) {
  check(comm);
  revoked = 1;
  return 0;
}
int MPIX_Comm_shrink(Comm comm, Comm *survivors) {
  check(comm);
  insist(revoked, "order: revoke comes before shrink");
  shrunk = 1;
  *survivors = SHRUNK;
  return 0;
}
#endif
