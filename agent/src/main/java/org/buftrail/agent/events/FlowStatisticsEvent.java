package org.buftrail.agent.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Totals over all paths since the start. */
@Name("buftrail.FlowStatistics")
@Label("Buffer Statistics")
@Description("Netty buffers allocated, released, leaked and alive since the start of the JVM")
@Category({"Buftrail"})
@Period("10 s")
@StackTrace(false)
final class FlowStatisticsEvent extends Event {
  @Label("Allocated")
  long allocated;

  @Label("Released")
  long released;

  @Label("Leaked")
  long leaked;

  @Label("Leaked Bytes")
  @DataAmount
  long leakedBytes;

  @Label("Held")
  @Description("Buffers that leaked within others, which are counted as leaked")
  long held;

  @Label("Dropped")
  @Description("Buffers that were collected without a release, with nothing lost")
  long dropped;

  @Label("Dropped Bytes")
  @DataAmount
  long droppedBytes;

  @Label("Live")
  long live;

  @Label("Live Bytes")
  @DataAmount
  long liveBytes;

  @Label("Live Direct Bytes")
  @DataAmount
  long liveDirectBytes;

  @Label("Peak Live Bytes")
  @Description("Most bytes of buffers that were alive at once since the start")
  @DataAmount
  long peakLiveBytes;

  @Label("Suspect Paths")
  @Description("Paths that grow, are old, and are hardly released")
  long suspectPaths;

  @Label("Misuses")
  @Description("Buffers released, retained or used after their release")
  long misuses;

  @Label("Overflowed")
  @Description("Buffers whose paths went past a bound of the tracker")
  long overflowed;

  @Label("Sampling")
  @Description("N where 1 in N allocations is followed; counts and bytes are scaled up already")
  int sampling;
}
