// SPDX-License-Identifier: Apache-2.0
/* The functions of the plug-in that writes Measurement Sets (casacore/): plain structs between the
   tool and a library that is opened at run time. No exception passes here. */
#ifndef TESSERA_MS_INTERFACE_H
#define TESSERA_MS_INTERFACE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every struct and function below. */
#define TESSERA_MS_INTERFACE 1

typedef struct {
  const char* name;
  double position[3]; /* ITRF, metres */
} TesseraMsAntenna;

/* Values that are the same for all integrations. */
typedef struct {
  const char* path; /* of the folder to make; it does not exist */
  const char* telescope;
  const char* maker; /* the program and its version */
  const char* command;
  const char* const* history;
  int history_lines;
  const TesseraMsAntenna* antennas;
  int antenna_count;
  int polarisations; /* 1 or 2; products are XX, or XX, XY, YX, YY */
  int channels;
  const double* frequencies; /* of channels, Hz */
  double channel_width;      /* Hz, negative if channels descend */
  long long rows_at_once;    /* the most that are added by one call */
  double written;            /* when, MJD (UTC) in seconds */
} TesseraMsHeader;

/* A phase centre. */
typedef struct {
  const char* name;
  double direction[2]; /* ICRS, radians */
  double time;         /* MJD (UTC) in seconds */
} TesseraMsField;

/* Neighbouring rows of one integration. */
typedef struct {
  long long count;
  double time, seconds; /* the middle, MJD (UTC) in seconds, and the length */
  int field;
  int scan;
  const int* antenna1;
  const int* antenna2;
  const double* uvw;    /* three of each row, metres */
  const float* data;    /* of each row [channel][product], real and imaginary */
  const float* weights; /* of each row [product]; 0: no data */
} TesseraMsRows;

typedef struct TesseraMs TesseraMs;

/* Functions give 0 if they fail: message() then says why, until the next call of the same thread. A
   process that create() forks writes the tables, one call behind: what fails is told by a later
   one. */
typedef struct {
  int interface;       /* TESSERA_MS_INTERFACE */
  const char* version; /* of Tessera: a tool does not call the plug-in of another */
  const char* casacore;
  const char* (*message)(void);
  TesseraMs* (*create)(const TesseraMsHeader*);
  int (*add_field)(TesseraMs*, const TesseraMsField*);
  int (*add_rows)(TesseraMs*, const TesseraMsRows*);
  /* Everything is in files that are closed. `first` and `last` are the ends of the recording. The
     object is gone, whether that fails or not. */
  int (*close)(TesseraMs*, double first, double last);
  /* The same for one whose files are not wanted. */
  void (*abandon)(TesseraMs*);
} TesseraMsPlugin;

/* The only symbol of the plug-in. */
const TesseraMsPlugin* tessera_ms_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
