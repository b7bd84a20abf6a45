package io.firstcome.application.server;

import io.firstcome.domain.observation.IssuanceObserver;
import io.firstcome.domain.observation.OperationObservation;
import io.firstcome.domain.observation.Weakness;
import io.firstcome.domain.port.ServerSettings;
import io.firstcome.domain.port.ServerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks whether the settings of all servers meet the service's promises, and reports each weakness
 * once, when it is first seen. To be repeated periodically: a setting can be changed while a server
 * runs, and after a failover another node answers.
 */
public final class InspectServers {

  private final List<ServerSettings> servers;
  private final IssuanceObserver observer;
  private final Map<String, List<Weakness>> lastSeen = new TreeMap<>();
  private volatile Findings latest;

  public InspectServers(List<ServerSettings> servers, IssuanceObserver observer) {
    this.servers = List.copyOf(servers);
    this.observer = observer;
    this.latest =
        new Findings(List.of(), this.servers.stream().map(ServerSettings::server).toList());
  }

  /**
   * The findings about all servers.
   *
   * @param weaknesses of each server when it last answered
   * @param notAsked servers that were not reachable the last time
   */
  public record Findings(List<Weakness> weaknesses, List<String> notAsked) {

    public Findings {
      weaknesses = List.copyOf(weaknesses);
      notAsked = List.copyOf(notAsked);
    }

    /** A sentence for each reason to doubt the promises; empty if there is none. */
    public List<String> doubts() {
      return Stream.concat(
              weaknesses.stream().map(Weakness::sentence),
              notAsked.stream().map("%s: settings could not be read"::formatted))
          .toList();
    }
  }

  /** The findings of the last inspection; before the first one, all servers are not asked. */
  public Findings latest() {
    return latest;
  }

  /** Reads the settings of every server. One that does not answer keeps its last weaknesses. */
  public synchronized Findings inspect() {
    var notAsked = new ArrayList<String>();
    for (var settings : servers) {
      try {
        reportChanges(settings.server(), settings.weaknesses());
      } catch (ServerUnavailableException e) {
        notAsked.add(settings.server());
      }
    }
    latest = new Findings(lastSeen.values().stream().flatMap(List::stream).toList(), notAsked);
    return latest;
  }

  private void reportChanges(String server, List<Weakness> now) {
    var before = lastSeen.getOrDefault(server, List.of());
    lastSeen.put(server, List.copyOf(now));
    now.stream()
        .filter(weakness -> !before.contains(weakness))
        .forEach(weakness -> observer.observe(new OperationObservation.WeaknessFound(weakness)));
    before.stream()
        .filter(weakness -> !now.contains(weakness))
        .forEach(weakness -> observer.observe(new OperationObservation.WeaknessGone(weakness)));
  }
}
