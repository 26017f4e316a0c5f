package org.buftrail.agent.end;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.file.Path;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowReports;
import org.buftrail.report.SnapshotJsonReader;

/**
 * Writes an example to nowhere, which loads and initialises what a report of that form needs: later
 * the jar may be gone, or the memory.
 */
public final class ReportWarmUp {
  private static final String JOURNEY =
      "'hops':['a.B.c','a.B.d','a.B.e_return','ByteBuf.release'],'refs':['1-2','1-2','1-2','0'],"
          + "'sites':[{'class':'a.B','method':'c'},{'class':'a.B','method':'d','line':7},"
          + "{'class':'a.B','method':'e_return','line':8,'loop':true},"
          + "{'class':'io.netty.buffer.ByteBuf','method':'release'}]";

  private static final String COUNTS =
      "'released':1,'leaked':2,'live':3,'releasedBytes':1,'leakedBytes':2,'liveBytes':3,"
          + "'oldestMillis':5,'medianMillis':4,'firstSeen':'2026-01-01T00:00:00Z',"
          + "'lastSeen':'2026-01-01T00:00:00Z'";

  private static final String PLACES =
      "[{'looks':1,'own':{'class':'a.C','method':'g'},'library':[{'class':'l.D','method':'h'}],"
          + "'callers':[{'class':'l.D','method':'i'}]}]";

  private static final String EVIDENCE =
      ",'evidence':{'looks':2,'askedFor':"
          + PLACES
          + ",'retained':"
          + PLACES
          + ",'handed':"
          + PLACES
          + "}";

  private static final String MEMORY =
      "'memory':{'pools':[{'allocator':'pooled','direct':true,'bytes':8,'held':4,'idle':3,"
          + "'notLocated':1}],'holders':[{'path':{"
          + JOURNEY
          + "},'direct':true,'buffers':1,'bufferBytes':1,'chunks':1,'held':4,'alone':4,"
          + "'returned':4}],'chunks':[{'pool':0,'size':4,'buffers':1,'taken':1,'free':3,'other':0,"
          + "'holder':0}],'unexplained':['an allocator']},";

  /** A little of everything that a report may contain. */
  private static final String EXAMPLE =
      "{'format':'buftrail.flows','version':1,'takenAt':'2026-01-01T00:00:00Z',"
          + (MEMORY + "'paths':[")
          + ("{" + JOURNEY + ",'direct':true," + COUNTS + EVIDENCE + "},")
          + ("{" + JOURNEY + ",'direct':false," + COUNTS + "},")
          + ("{" + JOURNEY.replace("a.B", "a.R") + ",'direct':false,'resource':'a.R',")
          + (COUNTS + "}],")
          + "'misuses':[{'kind':'double release','count':1,'site':{'class':'a.B','method':'f'},"
          + ("'path':{" + JOURNEY + "},'earlier':{" + JOURNEY + "}}]}");

  private ReportWarmUp() {}

  /** Warms up the format that a file's name asks for. */
  static void of(Path file) throws IOException {
    Path name = file.getFileName();
    of(ProfileFormat.ofFile(String.valueOf(name)).orElse(ProfileFormat.TEXT));
  }

  static void of(ProfileFormat format) throws IOException {
    FlowReports.write(example(), format, OutputStream.nullOutputStream());
  }

  public static Snapshot example() throws IOException {
    return SnapshotJsonReader.read(new StringReader(EXAMPLE.replace('\'', '"')));
  }
}
