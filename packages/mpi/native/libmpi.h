/*
 * The few functions of MPI that peers need, found at run time in whichever libmpi is there. No mpi.h: Open MPI's handles
 * are addresses of symbols, MPICH's are 32-bit numbers; everything else is the same by the standard.
 */
#ifndef EQUITOPO_LIBMPI_H
#define EQUITOPO_LIBMPI_H

#include <stddef.h>
#include <stdint.h>

typedef union {
  void *pointer; /* Open MPI */
  int number;    /* MPICH */
} Handle;

/* Room for any MPI_Status: Open MPI's has 24 bytes, MPICH's 20. */
typedef union {
  long long aligned;
  char bytes[64];
} Status;

/* Loads the library; NULL, or why not (a static text or one valid until the next call). `path` may be NULL. */
const char *mpi_load(const char *path);
const char *mpi_version(void);
int mpi_is_mpich(void);
int mpi_has_ulfm(void);

int mpi_init(int *provided);
int mpi_finalize(void);
/* This process's rank, and of how many. */
void mpi_place(int *rank, int *size);
int mpi_isend(const void *data, int bytes, int peer, int tag, Handle *request);
int mpi_irecv(void *data, int bytes, int peer, int tag, Handle *request);
int mpi_test(Handle *request, int *done, Status *status);
/* Whether a message of that peer and tag is there to be received. */
int mpi_waits(int peer, int tag);
int mpi_bytes(const Status *status, int *bytes);
/* Ends a receive by force. */
void mpi_cancel(Handle *request);
void mpi_error(int code, char *text, size_t room);
/* ULFM: every survivor calls it; the communicator is then that of the survivors. */
int mpi_shrink(void);

#endif
