package org.buftrail.model;

import java.util.ArrayList;
import java.util.List;

/** Counted paths whose hops are given, and which note how often they are asked for hops. */
final class Rows extends CountedPaths {
  private final List<List<Path.Hop>> hops;
  private final List<Site> sites = new ArrayList<>();
  int hopsMade;

  Rows(List<Path> paths) {
    super(paths.size());
    hops = paths.stream().map(Path::hops).toList();
    int row = 0;
    for (Path path : paths) {
      put(row + RELEASED, path.released());
      put(row + LEAKED, path.leaked());
      put(row + LIVE, path.live());
      values[row + OLDEST] = path.oldestMillis();
      values[row + MEDIAN] = path.medianMillis();
      values[row + FIRST_SEEN] = path.firstSeenMillis();
      values[row + LAST_SEEN] = path.lastSeenMillis();
      put(row + DROPPED, path.dropped());
      values[row + HELD] = path.held();
      row += COLUMNS;
    }
  }

  private void put(int column, Path.Flows flows) {
    values[column] = flows.count();
    values[column + 1] = flows.bytes();
  }

  @Override
  protected List<Path.Hop> hops(int index) {
    hopsMade++;
    return hops.get(index);
  }

  @Override
  protected boolean isDirect(int index) {
    return index % 2 == 0;
  }

  @Override
  protected boolean isOfResource(int index) {
    return hops.get(index).get(0).site().method().equals(Path.RESOURCE_OPEN);
  }

  @Override
  protected int depth(int index) {
    return hops.get(index).size();
  }

  @Override
  protected void fill(int index, int[] into) {
    int i = 0;
    for (Path.Hop hop : hops.get(index)) {
      into[i++] = number(hop.site());
    }
  }

  @Override
  protected int number(Site site) {
    if (!sites.contains(site)) {
      sites.add(site);
    }
    return sites.indexOf(site);
  }

  @Override
  protected Site site(int number) {
    return sites.get(number);
  }
}
