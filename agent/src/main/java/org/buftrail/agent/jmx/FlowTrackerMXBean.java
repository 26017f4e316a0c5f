package org.buftrail.agent.jmx;

import java.io.IOException;
import java.util.List;

/**
 * Flows of Netty buffers in this JVM: {@code org.buftrail:type=FlowTracker}.
 *
 * <p>What each number is {@link org.buftrail.model.Figure} says, and consoles show. Attributes are
 * at most a second old. Counts are buffers, scaled up where only 1 in {@link #getSampling}
 * allocations is followed; bytes are capacities. All but the live figures count since {@link
 * #getSinceMillis}.
 */
public interface FlowTrackerMXBean {
  @Description("What leaks, what is live, and the tree of all paths, as text")
  String getTreeView();

  @Description("Totals, leaks and flows as structured text, one line each, for language models")
  String getLLMView();

  @Description("Totals, roots, paths and leak paths in a few lines")
  String getSummary();

  long getActiveFlowCount();

  int getRootCount();

  int getPathCount();

  long getAllocatedCount();

  long getReleasedCount();

  long getLeakedCount();

  long getHeldCount();

  long getDroppedCount();

  long getDroppedBytes();

  long getLeakedBytes();

  long getDirectLeakedBytes();

  long getLiveBytes();

  long getDirectLiveBytes();

  long getPeakLiveBytes();

  long getPeakAtMillis();

  long getPoolBytes();

  long getPoolHeldBytes();

  long getPoolTakenBytes();

  long getPoolFreeBytes();

  long getPoolOtherBytes();

  long getPoolIdleBytes();

  long getPoolNotLocatedBytes();

  long getPoolAloneBytes();

  long getResidentBytes();

  long getDirectCallBytes();

  long getOldestLiveMillis();

  int getSampling();

  long getOverflowedCount();

  long getMisuseCount();

  long getSuppressedErrorCount();

  @Description("When counting began or was reset, in milliseconds since the epoch")
  long getSinceMillis();

  @Description("The paths that leak, at most 50, most leaked bytes first")
  List<PathView> getLeakPaths();

  @Description("The paths that hold live buffers, at most 50, most live bytes first")
  List<PathView> getLivePaths();

  @Description(
      "The paths that held most at the moment when most bytes were alive, at most 50; what was live"
          + " then is their live count")
  List<PathView> getPeakPaths();

  @Description("Netty's allocators, each for one kind of memory, and what becomes of their memory")
  List<PoolView> getPools();

  @Description(
      "The paths whose live buffers hold chunks of Netty's allocators, at most 50, those that hold"
          + " most alone first")
  List<HolderView> getPoolHolders();

  @Description("The chunks of Netty's allocators with live buffers, at most 50, the largest first")
  List<ChunkView> getPoolChunks();

  @Description(
      "The application's calls that allocated direct buffers of the JDK, at most 50, most live"
          + " bytes first; needs directBuffers=true")
  List<DirectCallView> getDirectCalls();

  @Description(
      "What the JVM and Netty count of direct memory, and the most that each may count; needs"
          + " directBuffers=true")
  List<AccountView> getDirectAccounts();

  @Description(
      "Who shares the resident set of the process, each page counted once; at most a minute old")
  List<OwnerView> getResidentOwners();

  @Description("The limits of the process's memory, a line for each; at most a minute old")
  List<String> getMemoryLimits();

  @Description(
      "Sizes and lifetimes of sampled releases by path, in powers of two; at most 50, most samples"
          + " first")
  List<ReleasedView> getReleasedPaths();

  @Description(
      "The paths that look like leaks before a collection has proved it, and why; at most 50")
  List<SuspectView> getSuspectPaths();

  @Description(
      "What was done to buffers that were released already, at most 50, most frequent first")
  List<MisuseView> getMisuses();

  @Description(
      "How the tracker's own threads are: when each last did its work, and what went wrong")
  List<ThreadView> getThreads();

  @Description("The formats that exportToFile and render know")
  List<String> getFormats();

  /**
   * Writes a snapshot to a file of this JVM's machine, whole or not at all.
   *
   * @param path the file
   * @param format one of {@link #getFormats}, or empty to go by the file's name
   * @throws IOException saying in one line why it was not written
   */
  @Description("Writes a snapshot to a file on the machine of this JVM")
  void exportToFile(@ParameterName("path") String path, @ParameterName("format") String format)
      throws IOException;

  /**
   * A fresh snapshot in a format.
   *
   * @param format one of {@link #getFormats}
   */
  @Description("A fresh snapshot in one of the formats")
  byte[] render(@ParameterName("format") String format) throws IOException;

  /**
   * What was allocated and released in a range of the last 24 hours, by minute and path, and by how
   * much that grew.
   *
   * @param fromMillis in milliseconds since the epoch
   * @param toMillis in milliseconds since the epoch
   */
  @Description("What each path did in a range of the last 24 hours, by the minute")
  RangeView range(
      @ParameterName("fromMillis") long fromMillis, @ParameterName("toMillis") long toMillis);

  @Description("Whether new buffers are followed; may be set, costs nothing while false")
  boolean isTracking();

  @Description("Why new buffers are not followed; empty while they are")
  String getStopReason();

  long getStoppedSinceMillis();

  long getLostReleaseCount();

  /**
   * Switches between following new buffers and not, without weaving anything anew. Those under way
   * are followed to their release in either case.
   *
   * @throws IllegalStateException when the agent is detached, or has given up
   */
  void setTracking(boolean tracking);

  @Description(
      "Asks the JVM to collect, waits for that, and says what it proved and what is undecided")
  CollectionView collect();

  @Description("Counts released and leaked buffers from 0 again; what is live stays")
  void reset();
}
